// Nodes: all machines with their figures, and how these are spread.
import { html, nothing, repeat } from "../lit.js";
import { get, query as search } from "../api.js";
import { bytes, minutes, number, percent, plural, share } from "../format.js";
import { follow } from "../live.js";
import { goQuery, href, setQuery } from "../router.js";
import { isAdmin } from "../session.js";
import { chip } from "../components/status.js";
import { View, empty, loading } from "../components/view.js";
import { reliabilityPlot, uptimePlot, workPlot } from "./distributions.js";
import { others, taken } from "./resources.js";
import { termList, termMenu } from "./terms.js";
import "./join.js";
import "../components/plot.js";

const PAGE = 100;
const REFRESH_MILLIS = 3000;
const SPREAD_MILLIS = 30000;
/** Of fewer machines, the list says more than a distribution. */
const FEWEST_SPREAD = 3;
/** Amounts that have a column of their own, or none. */
const USUAL = ["cores", "memory", "disk"];
const COLUMNS = [
  { name: "name", title: "Node" },
  { name: "state", title: "State" },
  { name: "running", title: "Running", kind: "number" },
  { name: "reliability", title: "Reliability", kind: "number" },
  { name: "uptime", title: "Up for", kind: "number optional" },
  { name: "usual_uptime", title: "Usually up", kind: "number optional wide-only" },
  { name: "benchmark", title: "Benchmark", kind: "number optional wide-only" },
  { name: "failures", title: "Failed", kind: "number optional" },
  { name: "cores", title: "Cores", kind: "number optional" },
  { name: "memory", title: "Memory", kind: "number optional" },
];

class Nodes extends View {
  static properties = { query: { attribute: false }, nodes: { state: true }, total: { state: true }, all: { state: true }, spread: { state: true }, log: { state: true } };

  constructor() {
    super();
    this.query = {};
    this.log = false;
  }

  willUpdate(changed) {
    if (changed.has("query") && this.isConnected) this.read();
  }

  enter() {
    this.onLeave(follow("api/v1/events?nodes=hint", { nodes: () => this.readSoon() }, { again: () => this.read() }));
    this.onLeave(() => clearTimeout(this.timer));
  }

  readSoon() {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.read();
    }, this.nodes ? REFRESH_MILLIS : 0);
  }

  /** One page of the list: of ten thousand nodes, nobody reads more at a time. */
  async read() {
    if (this.reading) {
      this.stale = true;
      return;
    }
    this.reading = true;
    const { name, state, sort, page = 1 } = this.query;
    const table = await this.load((signal) => get(`api/v1/figures/nodes${search({ name, state, sort, limit: PAGE, offset: (page - 1) * PAGE })}`, { signal }));
    this.reading = false;
    if (table) {
      this.nodes = table.rows.map((row) => Object.fromEntries(table.columns.map((column, i) => [column, row[i]])));
      [this.total, this.all] = [table.total, table.all];
      this.readSpread();
    }
    if (this.stale) {
      this.stale = false;
      this.read();
    }
  }

  /** How figures are spread changes slowly. */
  async readSpread() {
    if (Date.now() - (this.spreadAt ?? 0) < SPREAD_MILLIS) return;
    this.spreadAt = Date.now();
    const spread = await this.load((signal) => get("api/v1/figures/spread", { signal }));
    if (spread) this.spread = spread;
  }

  renderHead(column) {
    const sort = this.query.sort ?? "name";
    const mark = sort === column.name ? " ▲" : sort === `-${column.name}` ? " ▼" : "";
    return html`<th scope="col" class=${column.kind ?? ""} aria-sort=${mark === " ▲" ? "ascending" : mark ? "descending" : "none"}>
      <button @click=${() => setQuery({ sort: sort === column.name ? `-${column.name}` : column.name, page: "" })}>${column.title}${mark}</button></th>`;
  }

  renderRow(node) {
    const alone = this.nodes.every((one) => one === node || one.name !== node.name);
    return html`<tr><td class="name"><a href=${href("node", [node.id])}>${node.name}</a>${alone ? nothing : html` <span class="quiet small">${node.agents.map(([, name]) => name).join(", ")}</span>`}</td><td>${chip(node.state)}${termList(node.terms)}</td>
      <td class="number">${number(node.running)}<span class="quiet"> / ${number(node.slots)}</span></td>
      <td class="number" title=${`${number(node.faults)} attempts lost through its own fault`}>${share(node.reliabilityPercent)}</td>
      <td class="number optional">${minutes(node.uptimeMinutes)}</td><td class="number optional wide-only">${minutes(node.meanUptimeMinutes)}</td>
      <td class="number optional wide-only">${node.benchmarkMillis ? `${number(Math.round(node.benchmarkMillis))} ms` : "–"}</td>
      <td class="number optional">${number(node.failures)}<span class="quiet"> / ${number(node.failures + node.successes)}</span></td>
      <td class="number optional" title=${node.system}>${node.amounts?.cores ? taken("cores", node.amounts.cores) : number(node.cores)}</td>
      <td class="number optional">${node.amounts?.memory ? taken("memory", node.amounts.memory) : bytes(node.memoryBytes)}</td>
      ${this.hasOthers() ? html`<td class="optional small">${others(node.amounts, USUAL)}</td>` : nothing}
      ${isAdmin() ? html`<td class="tight optional">${termMenu(this, node)}</td>` : nothing}</tr>`;
  }

  hasOthers() {
    return this.nodes.some((node) => Object.keys(node.amounts ?? {}).some((name) => !USUAL.includes(name)));
  }

  renderTable() {
    const page = Number(this.query.page ?? 1);
    return html`<section class="card flush" aria-label="List of nodes">${this.nodes.length ? html`<div class="table-box"><table class="dense">
      <thead><tr>${COLUMNS.map((column) => this.renderHead(column))}${this.hasOthers() ? html`<th scope="col" class="optional">Other resources</th>` : nothing}${isAdmin() ? html`<th scope="col" class="optional"><span class="visually-hidden">Actions</span></th>` : nothing}</tr></thead>
      <tbody>${repeat(this.nodes, (node) => node.id, (node) => this.renderRow(node))}</tbody></table></div>`
      : empty("No node matches", "Choose another name or state above.")}
      <div class="pager"><span>${plural(this.total, "node")}</span><span class="actions">
        <button class="small" ?disabled=${page === 1} @click=${() => goQuery({ page: page === 2 ? "" : page - 1 })}>Previous</button>
        <span>${number(page)}</span>
        <button class="small" ?disabled=${page * PAGE >= this.total} @click=${() => goQuery({ page: page + 1 })}>Next</button></span></div></section>`;
  }

  renderPlots() {
    return html`<div class="row"><h2>Distribution</h2>
      <button class="small" aria-pressed=${this.log} @click=${() => { this.log = !this.log; }}>Logarithmic</button></div>
      <div class="grid thirds">
        <section class="card"><header><h2>Reliability</h2></header>
          <imker-plot .make=${reliabilityPlot(this.log)} .data=${this.spread} label="Nodes by reliability"></imker-plot></section>
        <section class="card"><header><h2>Usual up-time</h2></header>
          <imker-plot .make=${uptimePlot(this.log)} .data=${this.spread} label="Nodes by how long they are usually up"></imker-plot></section>
        <section class="card"><header><h2>Run time of attempts that succeed</h2></header>
          <imker-plot .make=${workPlot(this.log)} .data=${this.spread} label="Nodes by how long attempts run that succeed"></imker-plot></section></div>`;
  }

  renderFigures() {
    const { nodes, connected, slots, running, cores } = this.all;
    return html`<dl class="figures"><div><dt>Connected</dt><dd>${number(connected)} <small>of ${number(nodes)}</small></dd></div>
      <div><dt>Slots</dt><dd>${number(slots)}</dd></div><div><dt>In use</dt><dd>${slots ? percent(running / slots) : "–"}</dd></div>
      <div><dt>Cores</dt><dd>${number(cores)}</dd></div></dl>`;
  }

  render() {
    if (this.error) return this.problem(() => this.read());
    if (!this.nodes) return loading("Reading nodes");
    if (!this.all.nodes) {
      return html`<div class="page-head"><h1>Nodes</h1></div><section class="card">${empty("No machine has joined yet",
        html`One line on any machine that reaches this server makes it join.`)}</section>${isAdmin() ? html`<imker-join open></imker-join>` : nothing}`;
    }
    return html`<div class="page-head"><h1>Nodes</h1></div>
      ${this.renderFigures()}
      <form class="filters" role="search" aria-label="Filter nodes" @submit=${(event) => event.preventDefault()}>
        <label class="wide"><span class="label">Name</span><input type="search" .value=${this.query.name ?? ""} @input=${(event) => setQuery({ name: event.target.value, page: "" })}></label>
        <label><span class="label">State</span><select @change=${(event) => setQuery({ state: event.target.value, page: "" })}>
          ${["", "connected", "draining", "paused", "away"].map((state) => html`<option value=${state} ?selected=${(this.query.state ?? "") === state}>${state || "any"}</option>`)}</select></label></form>
      ${this.renderTable()}
      ${isAdmin() ? html`<imker-join ?open=${this.query.add === "yes"}></imker-join>` : nothing}
      <imker-resources></imker-resources>
      ${this.spread && this.all.nodes >= FEWEST_SPREAD ? this.renderPlots() : nothing}`;
  }
}
customElements.define("imker-nodes", Nodes);
