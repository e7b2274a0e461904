// What came out of a job: a list to look through, and everything as one file.
import { html, nothing } from "../lit.js";
import { get, query } from "../api.js";
import { number } from "../format.js";
import { href } from "../router.js";
import { pager } from "../components/pager.js";
import { View, empty, loading } from "../components/view.js";
import { resultList } from "./preview.js";

const PAGE = 20;
/** The result of a chart analysis, as the page of charts looks for it. */
const CHART = /(^|\/)[^/]*result[^/]*\.json$/i;

class Results extends View {
  static properties = { job: { attribute: false }, query: { attribute: false }, version: {}, tasks: { state: true }, next: { state: true }, shown: { state: true } };

  willUpdate(changed) {
    const before = changed.get("query")?.result;
    if (changed.has("version") || !this.tasks || (changed.has("query") && before !== this.query.result)) this.read();
  }

  async read() {
    const page = await this.load((signal) =>
      get(`api/v1/jobs/${this.job.id}/tasks${query({ state: "DONE,FAILED,AUTO_BLOCKED", limit: PAGE, from: this.query.result })}`, { signal }));
    if (page) [this.tasks, this.next] = [page.tasks, page.next];
  }

  render() {
    if (this.error) return this.problem(() => this.read());
    if (!this.tasks) return loading("Reading results");
    const some = this.tasks.filter((task) => task.results.length || task.stdout.size);
    if (!some.length && !this.query.result) {
      return html`<section class="card">${empty("Nothing has come out yet", "Files that tasks leave behind, and what they print, appear here when they end.")}</section>`;
    }
    return html`<section class="card stack">
      <div class="card-head"><h2>Results</h2>
        ${some.some((task) => task.results.some((file) => CHART.test(file.path))) ? html`<a class="button" href=${href("charts", [], { job: this.job.id })}>Show as charts</a>` : nothing}
        <a class="button primary" href="api/v1/jobs/${this.job.id}/results.zip" download>Download all (.zip)</a></div>
      ${some.map((task) => html`<article class="stack"><h3>Task ${number(task.number)} <span class="quiet">${Object.values(task.params).join(" ")}</span></h3>
        ${task.results.length ? resultList(this, task) : html`<p class="quiet small">No files; it printed ${number(task.stdout.size)} bytes.</p>`}</article>`)}
      ${pager(this.query.result ? `from task ${number(Number(this.query.result))}` : "first tasks", { key: "result", from: this.query.result, next: this.next })}</section>`;
  }
}
customElements.define("imker-results", Results);
