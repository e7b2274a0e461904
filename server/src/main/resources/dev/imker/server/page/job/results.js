// What came out of a job: a list to look through, and everything as one file.
import { html, nothing } from "../lit.js";
import { get, query } from "../api.js";
import { bytes, number } from "../format.js";
import { href } from "../router.js";
import { pager } from "../components/pager.js";
import { View, empty, loading } from "../components/view.js";
import { content, fileActions, isShown } from "./preview.js";

const PAGE = 20;
/** The result of a chart analysis, as the page of charts looks for it. */
const CHART = /(^|\/)[^/]*result[^/]*\.json$/i;

class Results extends View {
  static properties = { job: { attribute: false }, query: { attribute: false }, version: {}, tasks: { state: true }, next: { state: true }, shown: { state: true } };

  willUpdate(changed) {
    const before = changed.get("query")?.result;
    if (!this.asked || (changed.has("query") && before !== this.query.result)) {
      this.asked = true; // once, whatever comes of it: an answer that fails must not ask again at once
      this.read();
    } else if (changed.has("version")) {
      this.reread();
    }
  }

  async read() {
    const page = await this.newest((signal) =>
      get(`api/v1/jobs/${this.job.id}/tasks${query({ state: "DONE,FAILED,AUTO_BLOCKED", limit: PAGE, from: this.query.result })}`, { signal }));
    if (page) [this.tasks, this.next] = [page.tasks, page.next];
  }

  /** A row for each file; a file that is looked into has its content below. */
  renderTask(task) {
    const link = html`<a href=${href("job", [this.job.id], { tab: "tasks", task: task.number })} aria-label="Task ${task.number}">${number(task.number)}</a>`;
    const params = html`<code>${Object.entries(task.params).map(([name, value]) => `${name}=${value}`).join(" ")}</code>`;
    if (!task.results.length) {
      return html`<tr><td class="tight">${link}</td><td>${params}</td><td class="quiet">no files, only output</td><td class="number">${bytes(task.stdout.size)}</td><td></td></tr>`;
    }
    return task.results.map((file, i) => html`<tr><td class="tight">${i ? nothing : link}</td><td>${i ? nothing : params}</td>
        <td><code>${file.path}</code></td><td class="number">${bytes(file.size)}</td><td class="tight">${fileActions(this, task, file)}</td></tr>
      ${isShown(this, task, file) ? html`<tr><td colspan="5">${content(this.shown)}</td></tr>` : nothing}`);
  }

  render() {
    if (this.error) return this.problem(() => this.read());
    if (!this.tasks) return loading("Reading results");
    const some = this.tasks.filter((task) => task.results.length || task.stdout.size);
    if (!some.length && !this.query.result) {
      return html`<section class="card">${empty("No results yet", "Files that tasks leave behind, and what they print, appear here when they end.")}</section>`;
    }
    return html`<section class="card stack">
      <div class="card-head"><h2>Results</h2>
        ${some.some((task) => task.results.some((file) => CHART.test(file.path))) ? html`<a class="button" href=${href("charts", [], { job: this.job.id })}>Show as charts</a>` : nothing}
        <a class="button primary" href="api/v1/jobs/${this.job.id}/results.zip" download>Download all (.zip)</a></div>
      <div class="table-box"><table class="dense"><caption class="visually-hidden">Result files by task</caption>
        <thead><tr><th scope="col">Task</th><th scope="col">Parameters</th><th scope="col">File</th><th scope="col" class="number">Size</th><th scope="col"><span class="visually-hidden">Actions</span></th></tr></thead>
        <tbody>${some.map((task) => this.renderTask(task))}</tbody></table></div>
      ${pager(this.query.result ? `from task ${number(Number(this.query.result))}` : "first tasks", { key: "result", from: this.query.result, next: this.next })}</section>`;
  }
}
customElements.define("imker-results", Results);
