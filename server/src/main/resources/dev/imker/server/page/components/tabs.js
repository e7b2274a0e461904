// Tabs whose choice is kept in the address under `tab`.
import { html } from "../lit.js";
import { goQuery } from "../router.js";

/** `tabs`: {name, title}; `present` is the name of the open one; `panel` its content. */
export function tabs(view, all, present, panel, label) {
  const move = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = all.findIndex((tab) => tab.name === present);
    const next = all[(at + step + all.length) % all.length];
    goQuery({ tab: next.name });
    view.updateComplete.then(() => view.querySelector(`#tab-${next.name}`).focus());
  };
  view.updateComplete.then(() => {
    const tab = view.querySelector(`#tab-${present}`);
    if (!tab || view.tabShown === present) return;
    view.tabShown = present;
    const box = tab.parentElement; // on a phone, not all have room
    if (tab.offsetLeft + tab.offsetWidth > box.offsetLeft + box.scrollLeft + box.clientWidth) box.scrollLeft = tab.offsetLeft - box.offsetLeft - box.clientWidth / 3;
  });
  return html`<div class="tabs" role="tablist" aria-label=${label} @keydown=${move}>
    ${all.map((tab) => html`<button role="tab" id="tab-${tab.name}" aria-selected=${tab.name === present} aria-controls="tab-panel"
      tabindex=${tab.name === present ? 0 : -1} @click=${() => goQuery({ tab: tab.name })}>${tab.title}</button>`)}</div>
    <div id="tab-panel" role="tabpanel" aria-labelledby="tab-${present}">${panel}</div>`;
}
