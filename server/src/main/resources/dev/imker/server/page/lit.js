// What the page uses of Lit, in one place.
export { LitElement } from "./lib/lit-element/lit-element.js";
export { html, svg, nothing } from "./lib/lit-html/lit-html.js";
export { repeat } from "./lib/lit-html/directives/repeat.js";
