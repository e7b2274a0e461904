// The end of an output, followed while it grows. Only the tail is kept: a task may write gigabytes.
import { LitElement, html } from "../lit.js";
import { place } from "../live.js";

const KEPT_CHARS = 200000;
const FIRST_PAUSE_MILLIS = 1000;
const LONGEST_PAUSE_MILLIS = 15000;
/** How often it is read where no connection can be spared for following it. */
const GLANCE_MILLIS = 3000;

/** Colours and movements of a terminal. */
const CONTROLS = /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)/g;
/** What a terminal writes over, such as the earlier states of a progress bar. */
const OVERWRITTEN = /[^\n\r]*\r(?![\r\n]|$)/g;

/** An output as it would stand on a terminal, without colours. */
const readable = (text) => (/[\r\u001b]/.test(text) ? text.replace(CONTROLS, "").replace(OVERWRITTEN, "") : text);

class Log extends LitElement {
  static properties = { url: {}, live: { type: Boolean }, attempt: {}, text: { state: true }, state: { state: true } };

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.seen = () => this.live && (document.hidden ? this.aborter?.abort() : this.read());
    document.addEventListener("visibilitychange", this.seen);
  }

  disconnectedCallback() {
    document.removeEventListener("visibilitychange", this.seen);
    this.aborter?.abort();
    clearTimeout(this.timer);
    super.disconnectedCallback();
  }

  willUpdate(changed) {
    if (changed.has("url")) this.text = "";
    // What came since the last glance is read once more when there will be no next one.
    if (changed.has("url") || (changed.has("live") && (this.live || this.glances))) this.read();
  }

  async read() {
    this.aborter?.abort();
    const aborter = new AbortController();
    this.aborter = aborter;
    clearTimeout(this.timer);
    this.state = "reading";
    this.fresh = true;
    const giveBack = this.live ? await place() : undefined;
    this.glances = this.live && !giveBack;
    try {
      aborter.signal.throwIfAborted();
      const answer = await fetch(`${this.url}${giveBack ? "?follow=true" : ""}`, { signal: aborter.signal });
      if (!answer.ok) throw new Error(`status ${answer.status}`);
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        this.take(piece.value);
      }
      this.state = "complete";
    } catch (error) {
      if (error.name === "AbortError") return;
      this.state = "broken";
    } finally {
      giveBack?.();
    }
    if (!this.live) return;
    if (giveBack || this.state === "broken") this.readAgain();
    else this.timer = setTimeout(() => this.live && this.read(), GLANCE_MILLIS);
  }

  /** The server went, or the task is over and nobody has told us yet. */
  readAgain() {
    this.pause = Math.min(2 * (this.pause ?? FIRST_PAUSE_MILLIS / 2), LONGEST_PAUSE_MILLIS);
    this.timer = setTimeout(() => this.live && this.read(), this.pause);
  }

  take(piece) {
    const box = this.querySelector("pre");
    this.stick = !box || box.scrollHeight - box.scrollTop - box.clientHeight < 40;
    const all = this.fresh ? piece : this.text + piece;
    this.bytes = (this.fresh ? 0 : this.bytes) + new Blob([piece]).size;
    this.dispatchEvent(new CustomEvent("grown", { detail: this.bytes }));
    this.fresh = false;
    this.pause = undefined;
    this.text = all.length > KEPT_CHARS ? all.slice(-KEPT_CHARS) : all;
  }

  updated() {
    const box = this.querySelector("pre");
    if (this.stick && box) box.scrollTop = box.scrollHeight;
  }

  words() {
    if (this.state === "broken") return this.live ? "The connection broke; it is tried again." : "The output could not be read.";
    return this.state === "complete" ? "Nothing was written." : "Nothing yet.";
  }

  render() {
    return html`<pre class="log" tabindex="0" role="log" aria-label="Output of the task">${readable(this.text) || this.words()}</pre>`;
  }
}
customElements.define("imker-log", Log);
