// The base of every page and part: drawn into the document itself, so that one style sheet,
// labels and landmarks work across all of them.
import { LitElement, html, nothing } from "../lit.js";
import { toast } from "./toast.js";

/** How much longer than a reading took nothing is read again. */
const TIMES_AS_LONG = 5;

export class View extends LitElement {
  static properties = { error: { state: true }, busy: { state: true } };

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.leaving = [];
    this.aborter = new AbortController();
    this.enter();
  }

  /** What a view does when it comes on the screen. */
  enter() {}

  disconnectedCallback() {
    this.leaving.forEach((leave) => leave());
    this.aborter.abort();
    super.disconnectedCallback();
  }

  onLeave(action) {
    this.leaving.push(action);
  }

  /** Reads something for the view; a failure is shown in its place. */
  async load(action) {
    try {
      this.error = undefined;
      return await action(this.aborter.signal);
    } catch (error) {
      if (error.name !== "AbortError") this.error = error;
      return undefined;
    }
  }

  /** The same for what depends on a choice: an answer to an earlier choice never comes after that to a later one. */
  newest(action) {
    this.asking?.abort();
    const asking = new AbortController();
    this.asking = asking;
    return this.load(async (signal) => {
      const both = AbortSignal.any([signal, asking.signal]);
      try {
        return await action(both);
      } catch (error) {
        both.throwIfAborted(); // what was overtaken is no failure, however it ended
        throw error;
      }
    });
  }

  /**
   * Reads again what has changed. What takes the server long is asked for rarely, however often it
   * changes; what changes while it is read is read once more afterwards.
   */
  async reread() {
    if (this.rereading) {
      this.stale = true;
      return;
    }
    this.rereading = true;
    const from = Date.now();
    await this.read();
    const took = Date.now() - from;
    setTimeout(() => {
      this.rereading = false;
      if (this.stale && this.isConnected) {
        this.stale = false;
        this.reread();
      }
    }, TIMES_AS_LONG * took);
  }

  /** Does what a person asked for; tells how it went. */
  async attempt(action, done) {
    this.busy = true;
    try {
      const result = await action();
      if (done) toast(typeof done === "function" ? done(result) : done);
      return result;
    } catch (error) {
      if (error.name !== "AbortError") toast(error.message, "error");
      return undefined;
    } finally {
      this.busy = false;
    }
  }

  problem(retry) {
    return this.error ? problem(this.error, retry) : nothing;
  }
}

export function problem(error, retry) {
  return html`<div class="problem" role="alert">
    <p>${error.message}</p>
    ${retry ? html`<button @click=${retry}>Try again</button>` : nothing}
  </div>`;
}

/** Something that an address names, and that is not there for this person. */
export function missing(what, page, title) {
  return html`<div class="empty"><h1>There is no ${what}</h1><p>It was removed, or it belongs to somebody else.</p><a class="button" href="#/${page}">${title}</a></div>`;
}

export const loading = (what = "Loading") => html`<p class="loading" role="status">${what}…</p>`;

export function empty(title, text, action = nothing) {
  return html`<div class="empty"><h2>${title}</h2><p>${text}</p>${action}</div>`;
}
