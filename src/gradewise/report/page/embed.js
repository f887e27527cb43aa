// One section alone, as in a notebook or a page of others, and the state that it starts in.
{
  const { only, state } = document.documentElement.dataset;
  if (only) document.getElementById(only).classList.add("only");
  if (state && !window.location.hash) window.location.hash = state;
}
