// What is shown, as the address keeps it: #section&measure=nDCG%4010&runs=a,b&topic=12&g=0.3,0.7
//
// A finding can be sent, reloaded and found again with the back button. What is at its default is
// not in the address. Sections read `address.get(name)`, write `address.set({ name: value })`, and
// follow: `address.follow(read)` calls `read()` when somebody has gone back or has changed the
// address by hand. Names are text; a list of names is an array.

const address = (() => {
  let state = parse(locationText());
  let followers = [];
  let settling;

  /** The part of the address behind #; a page inside a notebook has an address of its own, too. */
  function locationText() {
    return window.location.hash.slice(1);
  }

  function parse(text) {
    const found = new Map();
    for (const [place, part] of text.split("&").entries()) {
      const [name, value] = part.split("=", 2);
      if (value !== undefined) found.set(name, value.split(",").map(decode));
      else if (place === 0 && part) found.set("section", [decode(part)]);
    }
    return found;
  }

  function print(entries) {
    const rest = [...entries].filter(([name]) => name !== "section");
    const section = entries.get("section") ?? [];
    return [...section.map(encode), ...rest.map(([name, values]) => `${name}=${values.map(encode).join(",")}`)].join("&");
  }

  function encode(text) {
    try {
      return encodeURIComponent(text);
    } catch {
      return encodeURIComponent(text.toWellFormed?.() ?? ""); // half a character
    }
  }

  function decode(text) {
    try {
      return decodeURIComponent(text);
    } catch {
      return text;
    }
  }

  function changed(changes) {
    const next = new Map(state);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === undefined) next.delete(name);
      else next.set(name, [value].flat().map(String));
    }
    return next;
  }

  function write(next, replace) {
    const [before, text] = [print(state), print(next)];
    state = next;
    if (before === text) return;
    try {
      window.history[replace ? "replaceState" : "pushState"](null, "", `#${text}`);
    } catch {
      // A page without an address of its own, as in some notebooks, keeps the state to itself.
    }
  }

  function reread() {
    clearTimeout(settling);
    const text = locationText();
    if (text === print(state)) return;
    state = parse(text);
    for (const follower of [...followers]) follower();
    goTo(address.get("section"));
  }

  /** Scroll to a section, and let the keyboard go on from there. */
  function goTo(section) {
    const target = section && document.getElementById(section);
    if (!target) return;
    target.scrollIntoView();
    const heading = target.querySelector("h2") ?? target;
    heading.setAttribute("tabindex", "-1");
    heading.focus({ preventScroll: true });
  }

  window.addEventListener("popstate", reread);
  window.addEventListener("hashchange", reread);
  return {
    /** The value of a name, or null; the first of a list. */
    get: (name) => state.get(name)?.[0] ?? null,
    /** All values of a name. */
    list: (name) => state.get(name) ?? [],
    /** Change some values; null takes one away. `replace` leaves no step to go back to. */
    set: (changes, { replace = false } = {}) => write(changed(changes), replace),
    /** Change some values once nothing was changed for a while, as after a slider was moved. */
    settle(changes) {
      clearTimeout(settling);
      settling = setTimeout(() => write(changed(changes), false), 400);
    },
    /** The address with some values changed, for links. */
    href: (changes) => `#${print(changed(changes))}`,
    /** Go to a link's address as if it had been followed. */
    go(changes) {
      write(changed(changes), false);
      for (const follower of [...followers]) follower();
      goTo(address.get("section"));
    },
    follow: (follower) => followers.push(follower),
    /** Forget who follows, before other topics are shown. */
    forget: () => { followers = []; },
    goTo,
  };
})();

/** A link to a state of the page, which keeps all that it does not change. */
function stateLink(changes, ...children) {
  const link = document.createElement("a");
  link.href = address.href(changes);
  link.addEventListener("click", (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return; // another tab takes the address
    event.preventDefault();
    address.go(changes);
  });
  link.append(...children);
  return link;
}
