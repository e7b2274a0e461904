// One node: when it was there, what ran on it, how long it stays, what the scheduler thinks of it.
import { html, nothing } from "../lit.js";
import { get, path } from "../api.js";
import { ago, bytes, decimal, duration, inLocalTime, minutes, number, plural, share } from "../format.js";
import { follow } from "../live.js";
import { href } from "../router.js";
import { isAdmin } from "../session.js";
import { chip } from "../components/status.js";
import { View, empty, loading, missing } from "../components/view.js";
import { calendarPlot, survivalPlot } from "./life.js";
import { reasons } from "./reasons.js";
import { others } from "./resources.js";
import { termButtons, termList } from "./terms.js";
import "../components/plot.js";
import "../components/usage.js";

const REFRESH_MILLIS = 3000;
const HISTORY_MILLIS = 30000;

/** One word for how a node stands, as the list has it. */
function standing({ connected, agents, terms }) {
  if (!connected) return "away";
  if (terms.paused || agents.some((agent) => agent.pause)) return "paused";
  return terms.draining || agents.some((agent) => agent.draining) ? "draining" : "connected";
}

class Node extends View {
  static properties = { node: {}, view: { state: true }, history: { state: true }, thoughts: { state: true } };

  willUpdate(changed) {
    if (changed.has("node")) {
      this.view = undefined;
      this.history = undefined;
      this.has = undefined;
      this.historyAt = 0;
      this.read();
    }
  }

  enter() {
    this.onLeave(follow("api/v1/events?nodes=hint", { nodes: () => this.readSoon() }, { again: () => this.read() }));
    this.onLeave(() => clearTimeout(this.timer));
  }

  readSoon() {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.read();
    }, REFRESH_MILLIS);
  }

  async read() {
    const { node } = this;
    await this.load(async (signal) => {
      const [view, history, thoughts] = await Promise.all([
        get(path`api/v1/nodes/${this.node}`, { signal }),
        this.readHistory(signal),
        isAdmin() ? get(path`api/v1/nodes/${this.node}/explain`, { signal }) : undefined]);
      if (node !== this.node) return;
      if (this.view?.connected !== view.connected) this.changedAt = Date.now();
      [this.view, this.history, this.thoughts] = [view, history, thoughts];
      if (!this.isWrittenDown() && Date.now() < this.changedAt + HISTORY_MILLIS) {
        this.historyAt = 0;
        this.readSoon();
      }
    });
  }

  /** That a machine came or went becomes part of its history a little later. */
  isWrittenDown() {
    const last = this.history.up.at(-1);
    return !!last && this.view.connected === (last.toMillis == null);
  }

  /** When it was there, by what is known now. */
  up() {
    const { up } = this.history;
    if (this.isWrittenDown()) return up;
    if (this.view.connected) return [...up, { fromMillis: Date.now(), toMillis: null }];
    return up.length ? [...up.slice(0, -1), { ...up.at(-1), toMillis: Date.now() }] : up;
  }

  /** A month of comings and goings changes slowly. */
  async readHistory(signal) {
    if (this.history && Date.now() - this.historyAt < HISTORY_MILLIS) return this.history;
    this.historyAt = Date.now();
    return get(path`api/v1/nodes/${this.node}/history`, { signal });
  }

  renderAgents() {
    return html`<section class="card flush"><header><h2>Agents</h2></header><div class="table-box"><table>
      <thead><tr><th scope="col">Agent</th><th scope="col">State</th><th scope="col" class="number">Running</th><th scope="col" class="optional">Version</th>
        <th scope="col" class="optional">Seen</th></tr></thead>
      <tbody>${this.view.agents.map((agent) => html`<tr><td>${agent.name}</td>
        <td>${chip(!agent.connected ? "away" : agent.draining ? "draining" : agent.pause ? "paused" : "connected")} <span class="quiet small">${agent.pause}</span>
          ${agent.sandbox?.startsWith("off") ? html`<span class="quiet small">no sandbox (${agent.sandbox})</span>` : nothing}</td>
        <td class="number">${number(agent.running)}<span class="quiet"> / ${number(agent.slots)}</span></td><td class="optional">${agent.version}</td><td class="optional">${agent.connected ? "now" : ago(agent.seen)}</td></tr>`)}</tbody></table></div></section>`;
  }

  renderProfile() {
    const profile = this.view.profile;
    const { platform } = this.view;
    return html`<section class="card"><header><h2>Figures</h2></header><dl class="facts">
      <dt>System</dt><dd>${platform.os} ${platform.arch}</dd>
      <dt>Machine</dt><dd>${plural(platform.cores, "core")}, ${bytes(platform.memoryBytes)}</dd>
      ${Object.keys(this.view.amounts ?? {}).length ? html`<dt>Used</dt><dd>${others(this.view.amounts, [])}</dd>` : nothing}
      ${platform.facts?.sandbox ? html`<dt>Sandbox</dt><dd>${platform.facts.sandbox.startsWith("none") ? html`<span class="chip failed">none</span>${platform.facts.sandbox.slice(4)}` : platform.facts.sandbox}</dd>` : nothing}
      ${profile ? html`<dt>Reliability</dt><dd>${share(profile.reliabilityPercent)}: ${plural(profile.faults, "attempt")} lost through its own fault; published R ${decimal(profile.R)}, level ${profile.nP} of 20</dd>
        <dt>Attempts</dt><dd>${number(profile.successes)} succeeded, ${number(profile.failures)} failed</dd>
        <dt>Mean time</dt><dd>${[profile.avS ? `${minutes(profile.avS)} when they succeed` : "", profile.avF ? `${minutes(profile.avF)} when they fail` : ""].filter(Boolean).join(", ") || "–"}</dd>
        <dt>Up for</dt><dd>${minutes(profile.acU)}, usually ${minutes(profile.avU)}</dd>
        <dt>Benchmark</dt><dd>${profile.rB ? html`${duration(profile.rB)} <span class="quiet">(less is faster)</span>` : "not measured"}</dd>` : nothing}</dl></section>`;
  }

  renderUsage() {
    const { platform, connected } = this.view;
    this.has ??= { "Cores in use": platform.cores, Memory: platform.memoryBytes };
    return html`<section class="card stack" aria-labelledby="usage-title"><div class="card-head"><h2 id="usage-title">Use over the last day</h2>
      <span class="quiet small">Everything on the machine, not only tasks.</span></div>
      <imker-usage .url=${path`api/v1/nodes/${this.node}/usage`} .live=${connected} .most=${this.has}
        empty="No figures yet. Agents report every few seconds; figures from before the server's last start are not kept."></imker-usage></section>`;
  }

  renderThoughts() {
    if (!this.thoughts) return nothing;
    return html`<section class="card"><header><h2>How the scheduler sees it</h2><span class="quiet small">${this.thoughts.strategy ?? ""}</span></header>
      <p class="explain">${inLocalTime(this.thoughts.text)}</p></section>`;
  }

  renderRuns() {
    const { runs } = this.history;
    return html`<section class="card flush"><header><h2>Tasks that ended here</h2></header>${runs.length ? html`<div class="table-box tall"><table>
      <thead><tr><th scope="col">Task</th><th scope="col">Job</th><th scope="col">State</th><th scope="col" class="number">Took</th></tr></thead>
      <tbody>${runs.slice(0, 100).map((run) => html`<tr><td><a href=${href("job", [run.task.split(".")[0]], { task: run.task.split(".")[1] })}>${run.task}</a></td>
        <td class="name">${run.job}</td><td>${chip(run.state)}</td><td class="number">${duration(run.millis)}</td></tr>`)}</tbody></table></div>`
      : empty("No tasks yet", "Tasks that end on this machine are listed here.")}</section>`;
  }

  render() {
    if (this.error?.status === 404) return missing("such node", "nodes", "All nodes");
    if (this.error) return this.problem(() => this.read());
    if (!this.view) return loading("Reading the node");
    return html`<div class="page-head"><h1>${this.view.name}</h1>${chip(standing(this.view))}
      ${isAdmin() ? termButtons(this, this.view) : nothing}<a class="button small" href="#/nodes">All nodes</a></div>
      ${termList(this.view.terms)}
      <div class="grid">${this.renderProfile()}${this.renderThoughts()}</div>
      ${reasons(this.view.profile, this.up())}
      ${this.renderUsage()}
      ${this.renderAgents()}
      <div class="grid">
        <section class="card"><header><h2>Availability, last 30 days</h2><span class="quiet small">The greener an hour, the longer the machine was connected.</span></header>
          <imker-plot class="tall" .make=${calendarPlot} .data=${this.history} label="Share of each hour that the node was there"></imker-plot></section>
        <section class="card"><header><h2>How long it stays connected</h2></header>
          <imker-plot class="tall" .make=${survivalPlot} .data=${this.history} label="Share of up-times that lasted at least so long"></imker-plot></section></div>
      ${this.renderRuns()}`;
  }
}
customElements.define("imker-node", Node);
