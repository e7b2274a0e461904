// Simulator: the production scheduler against a pool that is described or remembered.
import { html, nothing, repeat } from "../lit.js";
import { get, post, put } from "../api.js";
import { duration, number, plural } from "../format.js";
import { isAdmin, mayWork } from "../session.js";
import { ask } from "../components/dialog.js";
import { View, empty, loading } from "../components/view.js";
import { EXAMPLES } from "./examples.js";
import { donePlot, efficiencyPlot, usedPlot, workingPlot } from "./curves.js";
import "../components/editor.js";
import "../components/plot.js";

const MOST_STRATEGIES = 6;

class Simulator extends View {
  static properties = {
    source: { state: true }, file: { state: true }, format: { state: true }, kinds: { state: true }, chosen: { state: true }, days: { state: true },
    seeds: { state: true }, present: { state: true }, report: { state: true }, refused: { state: true }, shown: { state: true },
  };

  constructor() {
    super();
    this.source = EXAMPLES[0].name;
    this.file = EXAMPLES[0].text;
    this.format = "yaml";
    this.chosen = new Set(["balanced", "survival"]);
    this.seeds = 3;
    this.days = 28;
  }

  enter() {
    this.load(async (signal) => {
      const strategy = await get("api/v1/strategy", { signal });
      [this.kinds, this.present] = [strategy.available, strategy.name];
    });
  }

  choose(source) {
    this.source = source;
    const example = EXAMPLES.find((one) => one.name === source);
    if (example) [this.file, this.format] = [example.text, "yaml"];
  }

  async open(file) {
    if (!file) return;
    this.source = "own";
    this.file = await file.text();
    this.format = file.name.toLowerCase().endsWith(".xml") ? "xml" : "yaml";
  }

  async run(event) {
    event.preventDefault();
    this.refused = undefined;
    this.busy = true;
    const body = { strategies: [...this.chosen], seeds: Number(this.seeds) };
    if (this.source === "history") body.historyDays = Number(this.days);
    else Object.assign(body, { text: this.file, format: this.format });
    try {
      this.report = await post("api/v1/simulations", body, { signal: this.aborter.signal });
      this.shown = this.report.outcomes[0].strategy;
    } catch (error) {
      if (error.name !== "AbortError") this.refused = error;
    } finally {
      this.busy = false;
    }
  }

  renderPool() {
    return html`<div class="stack"><label><span class="label">Pool</span><select @change=${(event) => this.choose(event.target.value)}>
        ${EXAMPLES.map((one) => html`<option value=${one.name} ?selected=${one.name === this.source}>${one.title}</option>`)}
        ${isAdmin() ? html`<option value="history" ?selected=${this.source === "history"}>this pool, from its own history</option>` : nothing}
        <option value="own" ?selected=${this.source === "own"}>my own description</option></select></label>
      ${this.source === "history" ? html`<label><span class="label">Days to replay</span><input type="number" min="1" max="180" .value=${String(this.days)} @input=${(event) => { this.days = event.target.value; }}></label>
          <p class="quiet small">Machines connect and disconnect, and jobs arrive, as recorded; tasks take as long as those of their project did.</p>`
        : html`<imker-editor .text=${this.file} label="Description of the pool" @edit=${(event) => { this.source = "own"; this.file = event.detail; }}></imker-editor>
          <div><label class="button small">Open a file<input class="visually-hidden" type="file" accept=".yaml,.yml,.xml" @change=${(event) => this.open(event.target.files[0])}></label></div>`}</div>`;
  }

  renderStrategies() {
    const toggle = (name, on) => {
      const chosen = new Set(this.chosen);
      if (on) chosen.add(name);
      else chosen.delete(name);
      this.chosen = chosen;
    };
    return html`<div class="stack"><fieldset><legend class="label">Strategies to compare, at most ${MOST_STRATEGIES}</legend>
      <div class="grid pairs">${this.kinds.map((kind) => html`<label class="choice"><input type="checkbox" .checked=${this.chosen.has(kind.name)} ?disabled=${!this.chosen.has(kind.name) && this.chosen.size >= MOST_STRATEGIES}
        @change=${(event) => toggle(kind.name, event.target.checked)}><span>${kind.name}<br><span class="quiet small">${kind.summary}${kind.name === this.present ? "; in use here" : ""}</span></span></label>`)}</div></fieldset>
      <label class="brief"><span class="label">Runs of each, with different random numbers</span><input type="number" min="1" max="20" .value=${String(this.seeds)} @input=${(event) => { this.seeds = event.target.value; }}></label></div>`;
  }

  /** What was compared becomes the way this pool works; parameters are those a strategy has by itself. */
  async apply(strategy) {
    const name = strategy.split(/[\s(]/)[0];
    const kind = this.kinds.find((one) => one.name === name);
    const sure = await ask({ title: `Use strategy ${name}?`, text: `${name}: ${kind?.summary}. It is used for everything this pool hands out from now on, in place of ${this.present}. What runs goes on.`, action: "Use it" });
    if (!sure) return;
    const saved = await this.attempt(() => put("api/v1/strategy", { name, parameters: {} }), `The pool now uses the strategy ${name}.`);
    if (saved) this.present = saved.name;
  }

  renderApply({ strategy }) {
    return strategy === this.present ? html`<span class="quiet small">in use here</span>`
      : html`<button class="small" aria-label="Use ${strategy} in this pool" ?disabled=${this.busy} @click=${() => this.apply(strategy)}>Use here</button>`;
  }

  renderTable() {
    const best = (value, more) => {
      const known = this.report.outcomes.map(value).filter((one) => one != null);
      return more ? Math.max(...known) : Math.min(...known);
    };
    const efficiency = best((one) => one.efficiency.mean, true);
    const done = best((one) => one.doneRate.mean, true);
    const makespan = best((one) => one.makespan?.mean, false);
    const star = (is) => (is ? html` <strong title="best">★</strong>` : nothing);
    return html`<section class="card flush" aria-labelledby="compare-title"><header><h2 id="compare-title">${this.report.name}: ${plural(this.report.nodes, "node")}, ${plural(this.report.tasks, "task")}</h2></header>
      <div class="table-box" tabindex="0"><table><thead><tr><th scope="col">Strategy</th><th scope="col" class="number">Efficiency</th><th scope="col" class="number">Done rate</th><th scope="col" class="number">All done after</th>
        ${this.report.outcomes[0].resources.map(({ name }) => html`<th scope="col" class="number" title="Share in use while tasks waited">${name} in use</th>`)}
        ${isAdmin() ? html`<th scope="col"><span class="visually-hidden">Actions</span></th>` : nothing}</tr></thead>
      <tbody>${this.report.outcomes.map((one) => html`<tr><td>${one.strategy}</td>
        <td class="number">${one.efficiency.mean.toFixed(1)} % <span class="quiet">± ${one.efficiency.sd.toFixed(1)}</span>${star(one.efficiency.mean === efficiency)}</td>
        <td class="number">${one.doneRate.mean.toFixed(1)} % <span class="quiet">± ${one.doneRate.sd.toFixed(1)}</span>${star(one.doneRate.mean === done)}</td>
        <td class="number">${one.makespan ? html`${duration(one.makespan.mean * 60000)}${star(one.makespan.mean === makespan)}` : "not within the time"}</td>
        ${one.resources.map(({ whileWaiting }) => html`<td class="number">${whileWaiting.mean.toFixed(1)} %</td>`)}
        ${isAdmin() ? html`<td class="tight">${this.renderApply(one)}</td>` : nothing}</tr>`)}</tbody></table></div>
      <p class="quiet small pad">Efficiency: share of the machines' working time spent on tasks that finished. Done rate: share of all work done within the time. ★ marks the best.</p></section>`;
  }

  renderCurves() {
    const outcome = this.report.outcomes.find((one) => one.strategy === this.shown) ?? this.report.outcomes[0];
    return html`<div class="grid">
      <section class="card"><header><h2>Efficiency over time</h2></header><imker-plot .make=${efficiencyPlot} .data=${this.report} label="Efficiency of each strategy over time"></imker-plot></section>
      <section class="card"><header><h2>Done rate over time</h2></header><imker-plot .make=${donePlot} .data=${this.report} label="Share of the work that is done, by strategy, over time"></imker-plot></section></div>
      <section class="card stack"><div class="card-head"><h2>Working nodes by project</h2><div class="row" role="group" aria-label="Strategy">
        ${repeat(this.report.outcomes, (one) => one.strategy, (one) => html`<button class="small" aria-pressed=${one === outcome} @click=${() => { this.shown = one.strategy; }}>${one.strategy}</button>`)}</div></div>
        <imker-plot .make=${workingPlot} .data=${outcome} label="Nodes that work for each project over time, ${outcome.strategy}"></imker-plot>
        ${outcome.resources.length ? html`<h2>In use</h2><imker-plot .make=${usedPlot} .data=${outcome} label="Part of each resource that is in use over time, ${outcome.strategy}"></imker-plot>` : nothing}</section>`;
  }

  render() {
    if (!mayWork()) return empty("Your role is read-only", "Ask an admin for the user role.");
    if (this.error) return this.problem(() => this.enter());
    if (!this.kinds) return loading();
    return html`<div class="page-head"><h1>Simulator</h1><span class="quiet small">The same scheduler as in this pool, against machines that are only described.</span></div>
      <form class="card stack" @submit=${this.run} aria-label="What to simulate">${this.renderPool()}${this.renderStrategies()}
        <div class="row"><button class="primary" ?disabled=${this.busy || !this.chosen.size}>${this.busy ? "Simulating…" : "Run"}</button>
          <span class="quiet small">${plural(this.chosen.size, "strategy", "strategies")}, ${number(this.chosen.size * Number(this.seeds || 0))} runs; at most a minute</span></div></form>
      ${this.refused ? html`<div class="problem" role="alert"><p>${this.refused.message}</p></div>` : nothing}
      ${this.report ? html`${this.renderTable()}${this.renderCurves()}` : nothing}`;
  }
}
customElements.define("imker-simulator", Simulator);
