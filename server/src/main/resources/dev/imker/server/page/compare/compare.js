// Two runs of a job side by side: what was asked for, how it went, what came out.
import { html, nothing } from "../lit.js";
import { get, query as search, text } from "../api.js";
import { duration, number, plural, time, words } from "../format.js";
import { href, setQuery } from "../router.js";
import { chip, failedOf, isSettled } from "../components/status.js";
import { View, empty, loading } from "../components/view.js";
import { metricText } from "../job/metrics.js";
import { change, lineChanges, matched, means } from "./difference.js";

const MOST_TASKS = 2000;
const MOST_ROWS = 300;

class Compare extends View {
  static properties = { query: { attribute: false }, runs: { state: true }, others: { state: true } };

  constructor() {
    super();
    this.query = {};
  }

  willUpdate(changed) {
    const wanted = `${this.query.a} ${this.query.b}`;
    if (changed.has("query") && wanted !== this.wanted) {
      this.wanted = wanted;
      this.read();
    }
  }

  async run(id, signal) {
    const job = await get(`api/v1/jobs/${encodeURIComponent(id)}`, { signal });
    const [file, metrics, { tasks }] = await Promise.all([text(`api/v1/jobs/${job.id}/jobfile`, { signal }), get(`api/v1/jobs/${job.id}/metrics`, { signal }),
      get(`api/v1/jobs/${job.id}/tasks${search({ limit: MOST_TASKS })}`, { signal })]);
    return { job, file, metrics, tasks };
  }

  async read() {
    this.runs = undefined;
    const { a, b } = this.query;
    if (!a) return;
    const found = await this.newest(async (signal) => {
      const runs = await Promise.all([a, b].filter(Boolean).map((id) => this.run(id, signal)));
      return { runs, named: await get(`api/v1/jobs${search({ name: runs[0].job.name, limit: 50 })}`, { signal }) };
    });
    if (!found) return;
    const { id } = found.runs[0].job;
    this.others = found.named.jobs.filter((job) => job.id !== id);
    if (!b && this.others.length) {
      const twin = (this.others.find((job) => job.id < id) ?? this.others[0]).id;
      setQuery({ a: Math.min(id, twin), b: Math.max(id, twin) });
    } else {
      this.runs = found.runs;
    }
  }

  renderChoice() {
    const choose = (event) => {
      event.preventDefault();
      setQuery(Object.fromEntries(new FormData(event.target)));
    };
    return html`<form class="filters" aria-label="Which jobs" @submit=${choose}>
      <label><span class="label">Job</span><input name="a" type="number" min="1" required .value=${this.query.a ?? ""}></label>
      <label><span class="label">With job</span><input name="b" type="number" min="1" required list="runs" .value=${this.query.b ?? ""}></label>
      <datalist id="runs">${(this.others ?? []).map((job) => html`<option value=${job.id}>${job.name}, ${time(job.submitted)}</option>`)}</datalist>
      <button>Compare</button></form>`;
  }

  renderFacts() {
    const rows = [
      ["Status", ({ job }) => chip(job.status)], ["Submitted", ({ job }) => time(job.submitted)],
      ["Took", ({ job }) => (isSettled(job.status) ? duration(new Date(job.settled) - new Date(job.submitted)) : "not finished")],
      ["Tasks", ({ job }) => number(job.tasks)], ["Done", ({ job }) => number(job.counts.done)],
      ["Failed", ({ job }) => number(failedOf(job.counts))],
      ["Skipped", ({ job }) => number(job.counts.skipped ?? 0)],
      ["Result files", ({ tasks }) => number(tasks.reduce((sum, task) => sum + task.results.length, 0))],
    ];
    return html`<section class="card flush" aria-label="Both jobs"><div class="table-box" tabindex="0"><table><thead><tr><td></td>${this.runs.map(({ job }) => html`<th scope="col"><a href=${href("job", [job.id])}>${job.name} #${job.id}</a></th>`)}</tr></thead>
      <tbody>${rows.map(([title, value]) => html`<tr><th scope="row">${title}</th>${this.runs.map((run) => html`<td>${value(run)}</td>`)}</tr>`)}</tbody></table></div></section>`;
  }

  renderFiles() {
    const lines = lineChanges(this.runs[0].file, this.runs[1].file);
    return html`<section class="card stack"><h2>Job file</h2>${lines.length
      ? html`<pre class="code-box" tabindex="0">${lines.map(({ sign, line }) => html`<span class="line ${sign === "+" ? "added" : "removed"}">${sign} ${line}\n</span>`)}</pre>`
      : html`<p class="quiet">The same for both.</p>`}</section>`;
  }

  renderMetrics() {
    const names = [...new Set(this.runs.flatMap((run) => run.metrics.names))];
    const both = this.runs.map((run) => means(run.metrics.rows));
    return html`<section class="card flush"><header><h2>Metrics: means over the tasks that are done</h2></header><div class="table-box" tabindex="0"><table>
      <thead><tr><th scope="col">Metric</th>${this.runs.map(({ job }) => html`<th scope="col" class="number">#${job.id}</th>`)}<th scope="col" class="number">Change</th></tr></thead>
      <tbody>${names.map((name) => html`<tr><th scope="row">${name === "duration" ? "duration, s" : name}</th>${both.map((mean) => html`<td class="number">${metricText(mean.get(name))}</td>`)}
        <td class="number">${change(both[0].get(name), both[1].get(name))}</td></tr>`)}</tbody></table></div></section>`;
  }

  renderTasks() {
    const { pairs, alone } = matched(...this.runs);
    const names = [...new Set(this.runs.flatMap((run) => run.metrics.names))].slice(0, 4);
    return html`<section class="card flush" aria-label="Tasks side by side"><header><h2>${plural(pairs.length, "task")} with the same parameters</h2>
        <span class="quiet small">${alone[0] || alone[1] ? `${number(alone[0])} only in #${this.runs[0].job.id}, ${number(alone[1])} only in #${this.runs[1].job.id}. ` : ""}${pairs.length ? "Those that differ most come first." : ""}</span></header>
      ${!pairs.length ? html`<p class="quiet small pad">Tasks are compared if all parameters that both jobs share are equal.</p>` : html`<div class="table-box"><table class="dense"><thead><tr><th scope="col">Parameters</th><th scope="col">Outcome</th><th scope="col">Results</th>${names.map((name) => html`<th scope="col" class="number">${name === "duration" ? "duration, s" : name}</th>`)}</tr></thead>
      <tbody>${pairs.slice(0, MOST_ROWS).map((pair) => html`<tr><td class="name"><code>${pair.words}</code></td>
        <td>${pair.states.map((state, i) => html`<a href=${href("job", [this.runs[i].job.id], { tab: "tasks", task: pair.numbers[i] })}>${words(state)}</a>${i ? "" : " → "}`)}</td>
        <td>${pair.results}</td>${names.map((name) => html`<td class="number">${metricText(pair.metrics[0][name])} → ${metricText(pair.metrics[1][name])}</td>`)}</tr>`)}</tbody></table></div>`}
      ${pairs.length > MOST_ROWS ? html`<p class="quiet small note">The first ${number(MOST_ROWS)}.</p>` : nothing}</section>`;
  }

  renderRuns() {
    if (!this.query.a) return html`<section class="card">${empty("Which jobs?", "Enter the numbers of two jobs, or choose Compare on the page of a job.")}</section>`;
    if (this.error) return nothing;
    if (!this.runs) return loading("Reading both jobs");
    if (this.runs.length < 2) return html`<section class="card">${empty("There is no other run of this job", "Enter the number of any other job above.")}</section>`;
    return html`${this.renderFacts()}${this.renderFiles()}${this.renderMetrics()}${this.renderTasks()}`;
  }

  render() {
    return html`<div class="page-head"><h1>Compare</h1></div>${this.renderChoice()}${this.problem(() => this.read())}${this.renderRuns()}`;
  }
}
customElements.define("imker-compare", Compare);
