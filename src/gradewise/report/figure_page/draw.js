// `ast`: expressions are interpreted, so that the page needs no right to make code from text.
const spec = JSON.parse(document.getElementById("data").textContent);
vegaEmbed("#figure", spec, {
  mode: "vega-lite",
  renderer: "svg",
  ast: true,
  defaultStyle: false,
  tooltip: { disableDefaultStyle: true },
  actions: { export: true, source: false, compiled: false, editor: false },
}).catch(console.error);
