// What happened to a job: who did what, when.
import { html } from "../lit.js";
import { get } from "../api.js";
import { moment } from "../format.js";
import { View, empty, loading } from "../components/view.js";

class History extends View {
  static properties = { job: { attribute: false }, version: {}, events: { state: true } };

  willUpdate(changed) {
    if (changed.has("version")) this.reread();
  }

  async read() {
    const found = await this.load((signal) => get(`api/v1/jobs/${this.job.id}/history`, { signal }));
    if (found) this.events = found.events;
  }

  render() {
    if (this.error) return this.problem(() => this.read());
    if (!this.events) return loading("Reading the history");
    if (!this.events.length) return html`<section class="card">${empty("No history yet", "Whatever is done with this job appears here.")}</section>`;
    return html`<section class="card flush" aria-label="History of the job"><div class="table-box" tabindex="0"><table><thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th></tr></thead>
      <tbody>${this.events.map((event) => html`<tr><td class="tight">${moment(event.at)}</td><td>${event.who || "the pool"}</td><td>${event.what}</td></tr>`)}</tbody></table></div></section>`;
  }
}
customElements.define("imker-history", History);
