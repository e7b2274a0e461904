// Charts: what analyses of charts found. Results come from a job, or from files of this computer.
import { html, nothing } from "../lit.js";
import { get, query as search, text } from "../api.js";
import { plural } from "../format.js";
import { setQuery } from "../router.js";
import { View, empty } from "../components/view.js";
import { address } from "../job/preview.js";
import { areOf, candlePlot, comparePlot, equityPlot } from "./market.js";
import { surfacePicture } from "./surface.js";
import { comparison, figureTable, tradeTable } from "./tables.js";
import { fileName, isResult, prices } from "./reading.js";
import "../components/plot.js";

const MOST_RESULTS = 12;
/** Files with the course of prices, one for each market. */
const PRICES = /(^|\/)prices\/([^/]+)\.csv$/i;
const TASKS_LOOKED_AT = 100;

class Charts extends View {
  static properties = {
    query: { attribute: false }, runs: { state: true }, bars: { state: true }, chosen: { state: true }, market: { state: true }, axes: { state: true },
    recent: { state: true },
  };

  constructor() {
    super();
    this.query = {};
    this.runs = [];
    this.bars = new Map();
    this.sources = new Map();
    this.opened = 0;
    this.alone = [];
  }

  enter() {
    this.load(async (signal) => { this.recent = (await get("api/v1/jobs?limit=30&status=DONE", { signal })).jobs; });
  }

  willUpdate(changed) {
    if (changed.has("query") && this.query.job && this.query.job !== this.job) this.openJob(this.query.job);
  }

  /** Looks through the results of a job for analyses and prices. */
  async openJob(id) {
    this.job = id;
    await this.attempt(async () => {
      const { tasks } = await get(`api/v1/jobs/${encodeURIComponent(id)}/tasks${search({ state: "DONE", limit: TASKS_LOOKED_AT })}`);
      const files = tasks.flatMap((task) => task.results.map((file) => ({ task: task.id, file })))
        .filter(({ file }) => file.path);
      for (const { task, file } of files) {
        const [, , market] = PRICES.exec(file.path) ?? [];
        if (market) this.sources.set(`${id} ${market}`, address(task, file));
      }
      const results = files.filter(({ file }) => /(^|\/)[^/]*result[^/]*\.json$/i.test(file.path)).slice(0, MOST_RESULTS);
      const found = await Promise.all(results.map(async ({ task, file }) => ({ name: `${task} ${file.path}`, text: await text(address(task, file)) })));
      if (!this.take(found, id)) throw new Error(`Job ${id} has no analysis result (a file result.json).`);
    });
  }

  /** The prices of a market are read when it is looked at: there may be many. */
  async fetchBars(origin, market) {
    const key = `${origin} ${fileName(market)}`;
    const source = this.sources.get(key);
    if (!source || this.bars.has(key)) return;
    this.sources.delete(key);
    await this.attempt(async () => {
      const found = prices(await text(source));
      if (found.length) this.bars = new Map(this.bars).set(key, found);
    });
  }

  async openFiles(list) {
    await this.attempt(async () => {
      const found = await Promise.all([...list].map(async (file) => ({ name: file.name, text: await file.text() })));
      if (!this.take(found) && !this.runs.length) throw new Error("None of these files is the result.json of an analysis; 'imker chart run --out DIR' writes one.");
    });
  }

  /** Prices belong to the analyses that came with them: others may have a market of the same name. */
  take(files, origin = `files ${++this.opened}`) {
    const runs = [];
    const bars = new Map(this.bars);
    for (const file of files) {
      if (file.name.toLowerCase().endsWith(".csv")) {
        const found = prices(file.text);
        if (found.length) bars.set(`${origin} ${file.name.replace(/\.csv$/i, "")}`, found);
      } else {
        const result = isResult(file.text);
        if (result) runs.push({ name: file.name, result, origin });
      }
    }
    this.bars = bars;
    if (!runs.length) this.alone.push(origin);
    this.runs = [...this.runs, ...runs];
    if (runs.length) {
      this.chosen = runs[0];
      this.market = runs[0].result.perMarket[0]?.market;
      this.axes = undefined;
    }
    return runs.length > 0;
  }

  renderSources() {
    return html`<div class="row"><label class="button">Open files<input class="visually-hidden" type="file" multiple accept=".json,.csv" @change=${(event) => this.openFiles(event.target.files)}></label>
      ${this.recent?.length ? html`<label><span class="visually-hidden">Results of a job</span><select @change=${(event) => { if (event.target.value) setQuery({ job: event.target.value }); }}>
        <option value="">Results of a job …</option>${this.recent.map((job) => html`<option value=${job.id} ?selected=${String(job.id) === this.query.job}>${job.name} (job ${job.id})</option>`)}</select></label>` : nothing}</div>`;
  }

  /** Prices opened by themselves are for every analysis that has none of its own and traded at them. */
  barsOf(run) {
    const names = [run.market, fileName(run.market)];
    const own = names.map((name) => this.bars.get(`${this.chosen.origin} ${name}`)).find(Boolean);
    if (own) return own;
    const alone = this.alone.flatMap((origin) => names.map((name) => this.bars.get(`${origin} ${name}`)));
    return alone.findLast((bars) => bars && areOf(run, bars));
  }

  renderMarket() {
    const { result } = this.chosen;
    const run = result.perMarket.find((one) => one.market === this.market) ?? result.perMarket[0];
    if (!run) return nothing;
    const bars = this.barsOf(run);
    if (this.drawn?.run !== run || this.drawn.bars !== bars) this.drawn = { run, bars };
    return html`<section class="card stack"><div class="card-head"><h2>${run.market}, ${run.fromDate} to ${run.toDate}</h2>
        ${result.perMarket.length > 1 ? html`<label><span class="visually-hidden">Market</span><select @change=${(event) => { this.market = event.target.value; }}>${result.perMarket.map((one) => html`<option ?selected=${one === run}>${one.market}</option>`)}</select></label>` : nothing}</div>
      ${bars ? html`<imker-plot class="tall" .make=${candlePlot} .data=${this.drawn} label="Candles of ${run.market} with ${plural(run.trades.length, "trade")}"></imker-plot>`
        : html`<p class="quiet small">To see candles with the trades, open prices/${fileName(run.market)}.csv, which is beside the result.</p>`}
      <imker-plot .make=${equityPlot} .data=${this.drawn} label="Account and draw-down of ${run.market}"></imker-plot>
      <div class="grid">${figureTable(run.figures)}${tradeTable(run.trades)}</div></section>`;
  }

  /** All open analyses on the same market: who would have made what of the same sum. */
  renderComparison() {
    const market = this.market ?? this.chosen.result.perMarket[0]?.market;
    const courses = this.runs.map((run) => ({ name: `${run.result.name} (${run.name})`, run: run.result.perMarket.find((one) => one.market === market) })).filter((one) => one.run);
    if (courses.length < 2) return nothing;
    if (this.compared?.length !== courses.length || this.compared.market !== market) this.compared = Object.assign(courses, { market });
    return html`<section class="card stack"><div class="card-head"><h2>${market}: analyses side by side</h2><span class="quiet small">accounts, 100 at their first bar</span></div>
      <imker-plot class="tall" .make=${comparePlot} .data=${this.compared} label="Accounts of ${plural(courses.length, "analysis", "analyses")} on ${market}"></imker-plot></section>`;
  }

  updated() {
    const market = this.market ?? this.chosen?.result.perMarket[0]?.market;
    if (market) this.fetchBars(this.chosen.origin, market);
  }

  render() {
    return html`<div class="page-head"><h1>Charts</h1>${this.renderSources()}</div>
      ${!this.runs.length ? html`<section class="card" @dragover=${(event) => event.preventDefault()} @drop=${(event) => { event.preventDefault(); this.openFiles(event.dataTransfer.files); }}>
        ${empty("No analysis is open", html`Open the <code>result.json</code> that <code>imker chart run analysis.yaml --out DIR</code> writes, together with the files in <code>prices</code> beside it; or choose a job that made one.`)}</section>`
        : html`${comparison(this.runs, this.chosen, (run) => { this.chosen = run; this.market = run.result.perMarket[0]?.market; this.axes = undefined; })}
          ${this.renderMarket()}
          ${this.chosen.result.surface ? surfacePicture(this) : nothing}
          ${this.renderComparison()}`}`;
  }
}
customElements.define("imker-charts", Charts);
