// Short messages at the edge of the screen, also read out loud.
import { LitElement, html, repeat } from "../lit.js";
import { location, onNavigation } from "../router.js";

const SHOWN_MILLIS = 6000;
let region;
let count = 0;

export function toast(text, kind = "info") {
  region?.show(text, kind);
}

class Toasts extends LitElement {
  static properties = { items: { state: true } };

  constructor() {
    super();
    this.items = [];
    region = this;
  }

  /** What went wrong with one page is of no interest on the next. */
  connectedCallback() {
    super.connectedCallback();
    let page = location().page;
    onNavigation(() => {
      if (location().page !== page) this.items = this.items.filter((item) => item.kind !== "error");
      page = location().page;
    });
  }

  createRenderRoot() {
    return this;
  }

  show(text, kind) {
    const item = { id: ++count, text, kind };
    this.items = [...this.items.slice(-2), item];
    if (kind !== "error") setTimeout(() => this.close(item), SHOWN_MILLIS);
  }

  close(item) {
    this.items = this.items.filter((other) => other !== item);
  }

  render() {
    return html`<div class="toasts" role="status" aria-live="polite">
      ${repeat(this.items, (item) => item.id, (item) => html`<div class="toast ${item.kind}">
        <p>${item.text}</p>
        <button aria-label="Close message" @click=${() => this.close(item)}>×</button>
      </div>`)}
    </div>`;
  }
}
customElements.define("imker-toasts", Toasts);
