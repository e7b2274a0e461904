// First, previous, next page of a list, each of them an address.
import { html, nothing } from "../lit.js";
import { goNext, goQuery, previous } from "../router.js";

/**
 * `key` is the part of the address that says where a page begins, `from` its present value, `next`
 * that of the next page; `before` that of the previous one where it can be computed.
 */
export function pager(words, { key, from, next, before }) {
  const back = before === undefined ? previous() : undefined;
  const goBack = () => (before === undefined ? window.location.assign(back) : goQuery({ [key]: before }));
  return html`<div class="pager"><span>${words}</span><span class="actions">
    ${from ? html`<button class="small" @click=${() => goQuery({ [key]: "" })}>First</button>
      <button class="small" ?disabled=${before === undefined && !back} @click=${goBack}>Previous</button>` : nothing}
    <button class="small" ?disabled=${!next} @click=${() => goNext({ [key]: next })}>Next</button></span></div>`;
}
