// Addresses: #/page/part?key=value. The address is all the state a page keeps, so it can be saved.

export function location() {
  const [where, search = ""] = (window.location.hash.replace(/^#\/?/, "") || "overview").split("?");
  const [page, ...parts] = where.split("/").map(decoded);
  return { page, parts, query: Object.fromEntries(new URLSearchParams(search)) };
}

/** Addresses are typed, too: what cannot be decoded is taken as it stands. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function href(page, parts = [], values = {}) {
  const given = Object.entries(values).filter(([, value]) => value !== "" && value != null);
  const search = given.length ? `?${new URLSearchParams(given)}` : "";
  return `#/${[page, ...parts].map(encodeURIComponent).join("/")}${search}`;
}

export function go(page, parts, values) {
  window.location.hash = href(page, parts, values);
}

/** The present address with other values in its query. */
export function hrefWith(changes) {
  const { page, parts, query } = location();
  return href(page, parts, { ...query, ...changes });
}

/** Goes to the present address with other values in its query: the browser's way back leads here. */
export function goQuery(changes) {
  window.location.hash = hrefWith(changes);
}

/** Remembers from which page of a list the next one was reached, also over a reload. */
export function goNext(changes) {
  try {
    sessionStorage.setItem(`back ${hrefWith(changes)}`, hrefWith({}));
  } catch {
    // The browser keeps nothing: there is the first page to go to.
  }
  goQuery(changes);
}

/** The address of the page of a list before this one; null if this one was not reached by `goNext`. */
export function previous() {
  return sessionStorage.getItem(`back ${hrefWith({})}`);
}

/** Changes the query of the present address without a new entry in the history. */
export function setQuery(changes) {
  window.history.replaceState(null, "", hrefWith(changes));
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

export function onNavigation(listener) {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}
