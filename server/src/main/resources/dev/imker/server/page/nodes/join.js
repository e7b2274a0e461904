// How a machine joins: a line to run there, the same as a QR code, and a pairing code.
import { html, nothing } from "../lit.js";
import { get, post } from "../api.js";
import { View } from "../components/view.js";
import { qrCode } from "../components/qr.js";

class Join extends View {
  static properties = { open: { type: Boolean }, joins: { state: true }, code: { state: true } };

  /** The lines have the join token in them, so they are asked for only when somebody looks. */
  async read(event) {
    if (!event?.target.open || this.joins) return;
    this.joins = await this.load((signal) => get("api/v1/joins", { signal }));
  }

  async pair() {
    await this.attempt(async () => { this.code = (await post("api/v1/joins/code", {})).code; });
  }

  renderLine(line, what = "") {
    // Browsers have a clipboard over TLS and on the same machine only.
    return html`<div class="row"><pre class="join-line code-box grow" tabindex="0">${line}</pre>
      ${navigator.clipboard ? html`<button class="small" aria-label="Copy the line${what}" @click=${() => this.attempt(() => navigator.clipboard.writeText(line), "The line is copied.")}>Copy</button>` : nothing}</div>`;
  }

  renderWays() {
    if (!this.joins.line) return html`<p>The pool's join token was revoked; <code>imker join new</code> makes another.</p>`;
    return html`<p>On the machine to add (Linux or macOS), run this line. With <code>sh -s -- --service</code> in place of the <code>sh</code> at its end, the agent also starts automatically from then on.</p>
      ${this.renderLine(this.joins.line)}
      <div class="row join-code">${qrCode(this.joins.line, "QR code of the line")}
        <p class="quiet small">The same line as a QR code, for a machine into which nothing can be pasted. It contains the pool's join token: anyone who has it can add machines.</p></div>
      <p>On Windows, in PowerShell:</p>
      ${this.renderLine(this.joins.windowsLine, " for Windows")}`;
  }

  renderPairing() {
    if (window.location.protocol !== "https:") return nothing;
    return html`<p>In the same network, where Imker is installed: <code>imker agent</code>, which asks for a pairing code.
      ${this.code ? html`<strong class="pairing-code">${this.code}</strong> (good for ten minutes and five attempts)`
        : html`<button ?disabled=${this.busy} @click=${() => this.pair()}>Show a code</button>`}</p>`;
  }

  render() {
    return html`<details class="card join" ?open=${this.open} @toggle=${(event) => this.read(event)}><summary>Add a machine</summary>
      ${this.error ? this.problem(() => this.read({ target: { open: true } })) : nothing}
      ${this.joins ? html`${this.renderWays()}${this.renderPairing()}` : nothing}</details>`;
  }
}
customElements.define("imker-join", Join);
