// A plain text editor with line numbers; lines with mistakes are marked.
import { LitElement, html } from "../lit.js";

class Editor extends LitElement {
  static properties = { text: {}, findings: { attribute: false }, label: {} };

  constructor() {
    super();
    this.text = "";
    this.findings = [];
  }

  createRenderRoot() {
    return this;
  }

  goTo(line, column) {
    const area = this.querySelector("textarea");
    const start = this.text.split("\n").slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
    area.focus();
    area.setSelectionRange(start, start);
    area.scrollTop = Math.max(0, (line - 4) * parseFloat(getComputedStyle(area).lineHeight));
    this.scroll();
  }

  scroll() {
    this.querySelector(".gutter").scrollTop = this.querySelector("textarea").scrollTop;
  }

  edit(event) {
    this.dispatchEvent(new CustomEvent("edit", { detail: event.target.value }));
  }

  /** Tab stays a way out of the editor; Enter keeps the indentation. */
  key(event) {
    if (event.key !== "Enter" || event.ctrlKey) return;
    const area = event.target;
    const line = area.value.slice(0, area.selectionStart).split("\n").at(-1);
    const indent = /^[ ]*(- )?/.exec(line)[0].replace("- ", "  ") + (line.trimEnd().endsWith(":") ? "  " : "");
    if (!indent) return;
    event.preventDefault();
    area.setRangeText(`\n${indent}`, area.selectionStart, area.selectionEnd, "end");
    this.edit(event);
  }

  render() {
    const wrong = new Set(this.findings.filter((one) => one.severity === "ERROR").map((one) => one.line));
    const lines = this.text.split("\n").length;
    return html`<div class="editor"><div class="gutter" aria-hidden="true">${Array.from({ length: Math.min(lines, 5000) }, (_, i) =>
      html`<div class=${wrong.has(i + 1) ? "wrong" : ""}>${i + 1}</div>`)}</div>
      <textarea class="code" spellcheck="false" autocapitalize="off" autocomplete="off" wrap="off" aria-label=${this.label} aria-invalid=${wrong.size > 0}
        .value=${this.text} @input=${this.edit} @keydown=${this.key} @scroll=${this.scroll}></textarea></div>`;
  }
}
customElements.define("imker-editor", Editor);
