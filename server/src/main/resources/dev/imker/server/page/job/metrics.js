// Numbers that tasks printed, over their parameters: as a table, lines, a heat map, parallel axes; pictures in a grid.
import { html, nothing } from "../lit.js";
import { get } from "../api.js";
import { decimal, number } from "../format.js";
import { goQuery, hrefWith, setQuery } from "../router.js";
import { View, empty, loading } from "../components/view.js";
import { heatPlot, linePlot, parallelPlot } from "./metric-plots.js";
import "./pictures.js";
import "../components/plot.js";

const WAYS = { table: "Table", line: "Lines", heat: "Heat map", parallel: "Parallel axes", pictures: "Pictures" };
const SHOWN = 500;

export const metricText = (value) => (value === undefined ? "–" : Number.isInteger(value) ? number(value) : Math.abs(value) >= 1e-4 && Math.abs(value) < 1e6 ? decimal(value, Math.abs(value) < 0.01 ? 6 : 3).replace(/(\.\d{3}\d*?)0+$/, "$1") : value.toExponential(3));

class Metrics extends View {
  static properties = { job: { attribute: false }, query: { attribute: false }, version: {}, found: { state: true } };

  willUpdate(changed) {
    if (changed.has("version")) this.reread();
  }

  async read() {
    const found = await this.load((signal) => get(`api/v1/jobs/${this.job.id}/metrics`, { signal }));
    if (found) this.found = found;
  }

  /** What is shown: the first metric that was printed, over the parameters in their order. */
  choice() {
    const { names, params } = this.found;
    const one = (given, all, fallback) => (all.includes(given) ? given : fallback);
    const metric = one(this.query.metric, names, names[1] ?? names[0]);
    const x = one(this.query.x, params, params[0]);
    return { metric, x, y: one(this.query.y, params, params.find((name) => name !== x)), way: this.query.as in WAYS ? this.query.as : "table" };
  }

  sorted() {
    const key = this.query.by ?? "task";
    const name = key.replace(/^-/, "");
    const value = (row) => (name === "task" ? row.task : row.metrics[name] ?? row.params[name]);
    const number = (one) => (one !== undefined && one !== "" && Number.isFinite(Number(one)) ? Number(one) : one);
    const sign = key.startsWith("-") ? -1 : 1;
    // What a task lacks comes last in either direction.
    const order = (a, b) => (a === b ? 0 : a === undefined ? 1 : b === undefined ? -1
      : sign * (typeof a === typeof b ? (a < b ? -1 : 1) : typeof a === "number" ? -1 : 1));
    return [...this.found.rows].sort((a, b) => order(number(value(a)), number(value(b))));
  }

  renderHead(name, title, kind = "") {
    const by = this.query.by ?? "task";
    const mark = by === name ? " ▲" : by === `-${name}` ? " ▼" : "";
    return html`<th scope="col" class=${kind} aria-sort=${mark === " ▲" ? "ascending" : mark ? "descending" : "none"}>
      <button @click=${() => setQuery({ by: by === name ? `-${name}` : name })}>${title}${mark}</button></th>`;
  }

  renderTable() {
    const { names, params } = this.found;
    const rows = this.sorted();
    return html`<div class="table-box"><table class="dense"><thead><tr>${this.renderHead("task", "Task")}${params.map((name) => this.renderHead(name, name))}
      ${names.map((name) => this.renderHead(name, name === "duration" ? "duration, s" : name, "number"))}</tr></thead>
      <tbody>${rows.slice(0, SHOWN).map((row) => html`<tr><td class="tight"><a href=${hrefWith({ tab: "tasks", task: row.task })}>${row.task}</a></td>
        ${params.map((name) => html`<td>${row.params[name]}</td>`)}${names.map((name) => html`<td class="number">${metricText(row.metrics[name])}</td>`)}</tr>`)}</tbody></table></div>
      ${rows.length > SHOWN ? html`<p class="quiet small">The first ${number(SHOWN)} in this order.</p>` : nothing}`;
  }

  renderView({ metric, x, y, way }) {
    const { rows, params, names } = this.found;
    if (way === "table") return this.renderTable();
    if (way === "pictures") return html`<imker-pictures .job=${this.job} .rows=${rows} .params=${params}></imker-pictures>`;
    if (!x) return html`<p class="quiet">The tasks of this job have no parameters to draw ${metric} over.</p>`;
    if (way === "heat" && !y) return html`<p class="quiet">A heat map needs two parameters, and this job has only ${x}.</p>`;
    const key = JSON.stringify([metric, x, y, way, rows.length, this.version]);
    if (this.drawn?.key !== key) this.drawn = { key, rows, params, names, metric, x, y };
    const make = { line: linePlot, heat: heatPlot, parallel: parallelPlot }[way];
    return html`<imker-plot class="tall" .make=${make} .data=${this.drawn} label="${metric} over ${way === "parallel" ? "all parameters" : way === "heat" ? `${x} and ${y}` : x}"></imker-plot>`;
  }

  select(label, name, all, value) {
    return html`<label><span class="label">${label}</span><select name=${name} @change=${(event) => setQuery({ [name]: event.target.value })}>
      ${all.map((one) => html`<option ?selected=${one === value}>${one}</option>`)}</select></label>`;
  }

  render() {
    if (this.error) return this.problem(() => this.read());
    if (!this.found) return loading("Reading metrics");
    const { names, params, rows, next } = this.found;
    if (!rows.length) return html`<section class="card">${empty("No task is done yet", html`Let tasks print <code>imker:metric loss=0.3</code>; what is done appears here, over its parameters.`)}</section>`;
    const choice = this.choice();
    return html`<section class="card stack"><div class="row" role="group" aria-label="Show as">
        ${Object.entries(WAYS).map(([name, title]) => html`<button class="small" aria-pressed=${choice.way === name} @click=${() => goQuery({ as: name })}>${title}</button>`)}</div>
      ${["line", "heat", "parallel"].includes(choice.way) ? html`<div class="filters">${this.select("Metric", "metric", names, choice.metric)}
        ${choice.way === "parallel" || !params.length ? nothing : this.select(choice.way === "heat" ? "Across" : "Over", "x", params, choice.x)}
        ${choice.way === "heat" && params.length > 1 ? this.select("Down", "y", params, choice.y) : nothing}</div>` : nothing}
      ${this.renderView(choice)}
      ${names.length === 1 ? html`<p class="quiet small">Only durations are known. Values that tasks print as <code>imker:metric loss=0.3</code> appear here, too.</p>` : nothing}
      ${next ? html`<p class="quiet small">The first ${number(rows.length)} tasks that are done.</p>` : nothing}</section>`;
  }
}
customElements.define("imker-metrics", Metrics);
