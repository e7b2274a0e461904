// Addresses: #/page/part?key=value. The address is all the state a page keeps, so it can be saved.

export function location() {
  const [where, search = ""] = (window.location.hash.replace(/^#\/?/, "") || "overview").split("?");
  const [page, ...parts] = where.split("/").map(decodeURIComponent);
  return { page, parts, query: Object.fromEntries(new URLSearchParams(search)) };
}

export function href(page, parts = [], values = {}) {
  const given = Object.entries(values).filter(([, value]) => value !== "" && value != null);
  const search = given.length ? `?${new URLSearchParams(given)}` : "";
  return `#/${[page, ...parts].map(encodeURIComponent).join("/")}${search}`;
}

export function go(page, parts, values) {
  window.location.hash = href(page, parts, values);
}

/** Changes the query of the present address without a new entry in the history. */
export function setQuery(changes) {
  const { page, parts, query } = location();
  const target = href(page, parts, { ...query, ...changes });
  window.history.replaceState(null, "", target);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

export function onNavigation(listener) {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}
