// Nodes: all machines with their figures, and how these are spread.
import { html, nothing, repeat } from "../lit.js";
import { get } from "../api.js";
import { bytes, decimal, minutes, number, percent, plural } from "../format.js";
import { follow } from "../live.js";
import { href, setQuery } from "../router.js";
import { chip } from "../components/status.js";
import { View, empty, loading } from "../components/view.js";
import { reliabilityPlot, uptimePlot, workPlot } from "./distributions.js";
import "../components/plot.js";

const PAGE = 100;
const REFRESH_MILLIS = 3000;
const COLUMNS = [
  { name: "name", title: "Node" },
  { name: "state", title: "State" },
  { name: "running", title: "Running", kind: "number" },
  { name: "reliability", title: "Reliability", kind: "number" },
  { name: "uptimeMinutes", title: "Up for", kind: "number optional" },
  { name: "meanUptimeMinutes", title: "Usually up", kind: "number optional" },
  { name: "benchmarkMillis", title: "Benchmark", kind: "number optional" },
  { name: "failures", title: "Failed", kind: "number optional" },
  { name: "cores", title: "Cores", kind: "number optional" },
  { name: "memoryBytes", title: "Memory", kind: "number optional" },
];

class Nodes extends View {
  static properties = { query: { attribute: false }, nodes: { state: true }, log: { state: true }, plots: { state: true } };

  constructor() {
    super();
    this.query = {};
    this.log = false;
  }

  enter() {
    this.read();
    this.onLeave(follow("/api/v1/events?nodes=hint", { nodes: () => this.readSoon() }, { again: () => this.read() }));
    this.onLeave(() => clearTimeout(this.timer));
  }

  readSoon() {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.read();
    }, this.nodes ? REFRESH_MILLIS : 0);
  }

  async read() {
    const table = await this.load((signal) => get("/api/v1/figures/nodes", { signal }));
    if (!table) return;
    this.nodes = table.rows.map((row) => Object.fromEntries(table.columns.map((column, i) => [column, row[i]])));
  }

  shown() {
    const wanted = (this.query.name ?? "").toLowerCase();
    const state = this.query.state ?? "";
    const sort = this.query.sort ?? "name";
    const key = sort.replace("-", "");
    const direction = sort.startsWith("-") ? -1 : 1;
    return this.nodes
      .filter((node) => (!wanted || node.name.toLowerCase().includes(wanted)) && (!state || node.state === state))
      .sort((a, b) => direction * (typeof a[key] === "string" ? a[key].localeCompare(b[key]) : (a[key] ?? -1) - (b[key] ?? -1)));
  }

  renderHead(column) {
    const sort = this.query.sort ?? "name";
    const mark = sort === column.name ? " ▲" : sort === `-${column.name}` ? " ▼" : "";
    return html`<th scope="col" class=${column.kind ?? ""} aria-sort=${mark === " ▲" ? "ascending" : mark ? "descending" : "none"}>
      <button @click=${() => setQuery({ sort: sort === column.name ? `-${column.name}` : column.name, page: "" })}>${column.title}${mark}</button></th>`;
  }

  renderRow(node) {
    return html`<tr><td class="name"><a href=${href("node", [node.id])}>${node.name}</a></td><td>${chip(node.state)}</td>
      <td class="number">${number(node.running)}<span class="quiet"> / ${number(node.slots)}</span></td>
      <td class="number">${decimal(node.reliability)}</td>
      <td class="number optional">${minutes(node.uptimeMinutes)}</td><td class="number optional">${minutes(node.meanUptimeMinutes)}</td>
      <td class="number optional">${node.benchmarkMillis ? `${number(Math.round(node.benchmarkMillis))} ms` : "–"}</td>
      <td class="number optional">${number(node.failures)}<span class="quiet"> / ${number(node.failures + node.successes)}</span></td>
      <td class="number optional" title=${node.system}>${number(node.cores)}</td><td class="number optional">${bytes(node.memoryBytes)}</td></tr>`;
  }

  renderTable() {
    const all = this.shown();
    const page = Math.min(Number(this.query.page ?? 1), Math.max(1, Math.ceil(all.length / PAGE)));
    const rows = all.slice((page - 1) * PAGE, page * PAGE);
    return html`<section class="card flush" aria-label="List of nodes"><div class="table-box"><table>
      <thead><tr>${COLUMNS.map((column) => this.renderHead(column))}</tr></thead>
      <tbody>${repeat(rows, (node) => node.id, (node) => this.renderRow(node))}</tbody></table></div>
      <div class="pager"><span>${plural(all.length, "node")}</span><span class="actions">
        <button class="small" ?disabled=${page === 1} @click=${() => setQuery({ page: page - 1 })}>Back</button>
        <span>${number(page)}</span>
        <button class="small" ?disabled=${page * PAGE >= all.length} @click=${() => setQuery({ page: page + 1 })}>Next</button></span></div></section>`;
  }

  renderPlots() {
    return html`<div class="row"><h2>How they are spread</h2>
      <button class="small" aria-pressed=${this.log} @click=${() => { this.log = !this.log; }}>Logarithmic</button></div>
      <div class="grid thirds">
        <section class="card"><header><h2>Reliability</h2></header>
          <imker-plot .make=${reliabilityPlot(this.log)} .data=${this.nodes} label="Nodes by reliability"></imker-plot></section>
        <section class="card"><header><h2>Up-time</h2></header>
          <imker-plot .make=${uptimePlot(this.log)} .data=${this.nodes} label="Nodes by how long they are usually up"></imker-plot></section>
        <section class="card"><header><h2>Time of working attempts</h2></header>
          <imker-plot .make=${workPlot(this.log)} .data=${this.nodes} label="Nodes by how long attempts run that succeed"></imker-plot></section></div>`;
  }

  renderFigures() {
    const up = this.nodes.filter((node) => node.state !== "away");
    const slots = up.reduce((sum, node) => sum + node.slots, 0);
    const running = up.reduce((sum, node) => sum + Math.min(node.running, node.slots), 0);
    return html`<dl class="figures"><div><dt>Connected</dt><dd>${number(up.length)} <small>of ${number(this.nodes.length)}</small></dd></div>
      <div><dt>Slots</dt><dd>${number(slots)}</dd></div><div><dt>In use</dt><dd>${slots ? percent(running / slots) : "–"}</dd></div>
      <div><dt>Cores</dt><dd>${number(up.reduce((sum, node) => sum + node.cores, 0))}</dd></div></dl>`;
  }

  render() {
    if (this.error) return this.problem(() => this.read());
    if (!this.nodes) return loading("Reading nodes");
    if (!this.nodes.length) {
      return html`<div class="page-head"><h1>Nodes</h1></div><section class="card">${empty("No machine has joined yet",
        html`On any machine that reaches this server, run <code>imker agent --join …</code> with the token that <code>imker up</code> printed when it started.`)}</section>`;
    }
    return html`<div class="page-head"><h1>Nodes</h1></div>
      ${this.renderFigures()}
      <form class="filters" role="search" aria-label="Filter nodes" @submit=${(event) => event.preventDefault()}>
        <label class="wide"><span class="label">Name</span><input type="search" .value=${this.query.name ?? ""} @input=${(event) => setQuery({ name: event.target.value, page: "" })}></label>
        <label><span class="label">State</span><select @change=${(event) => setQuery({ state: event.target.value, page: "" })}>
          ${["", "connected", "draining", "paused", "away"].map((state) => html`<option value=${state} ?selected=${(this.query.state ?? "") === state}>${state || "any"}</option>`)}</select></label></form>
      ${this.renderTable()}
      ${this.nodes.length ? this.renderPlots() : nothing}`;
  }
}
customElements.define("imker-nodes", Nodes);
