// One task: why it is where it is, its output as it comes, its attempts, its files.
import { html, nothing } from "../lit.js";
import { get } from "../api.js";
import { bytes, duration, inLocalTime, moment, words } from "../format.js";
import { setQuery } from "../router.js";
import { mayWork } from "../session.js";
import { chip, stateOf } from "../components/status.js";
import { View, loading } from "../components/view.js";
import { resultList } from "./preview.js";
import { tryAgain } from "./retry.js";
import "../components/log.js";
import "../components/usage.js";

/** What an attempt was given: "cores 2, memory 1 GB, gpus 1 (0)". */
function had({ amounts, items = {}, alternative }) {
  const parts = Object.entries(amounts).map(([name, amount]) =>
    `${name} ${["memory", "disk"].includes(name) ? bytes(amount) : amount}${items[name] ? ` (${items[name].join(", ")})` : ""}`);
  return parts.join(", ") + (alternative ? `; alternative ${alternative}` : "");
}

/** As the server writes them; the page has a word for each. */
const STATE_NAMES = /\b(WAITING|READY|RUNNING|DONE|FAILED|AUTO_BLOCKED|BLOCKED|CANCELLED)\b/g;

/** From here on, the explanation tells how attempts were handed out. */
const WEIGHED = /^(Attempt \d+ went to |Why it went there )/;
const ENDS = { failed: "failed", skipped: "was skipped", cancelled: "was cancelled" };

/** The first sentence of an explanation names a state; people would say what happened. */
const said = (text) => text.replace(/^(Task \S+) is (failed|skipped|cancelled)\./, (_, task, state) => `${task} ${ENDS[state]}.`);

class Task extends View {
  static properties = {
    id: { attribute: false }, version: {}, task: { state: true }, why: { state: true }, stream: { state: true }, come: { state: true }, shown: { state: true },
  };

  willUpdate(changed) {
    if (changed.has("id")) {
      this.task = undefined;
      this.shown = undefined;
      this.stream = undefined;
    }
    if (changed.has("id")) this.read();
    else if (changed.has("version")) this.reread();
  }

  /** While it runs, how long it does is counted on. */
  enter() {
    const timer = setInterval(() => { if (this.task?.state === "RUNNING") this.requestUpdate(); }, 1000);
    this.onLeave(() => clearInterval(timer));
  }

  renderRun() {
    const { state, started, ended, node, exitCode } = this.task;
    if (!started) return nothing;
    const took = duration((ended ? new Date(ended) : Date.now()) - new Date(started));
    return html`<p class="run-time">${state === "RUNNING" ? `Has been running on ${node} for ${took}.` : ended ? `Ran on ${node} for ${took}${exitCode ? `, exit code ${exitCode}` : ""}.` : nothing}</p>`;
  }

  /** What was written; of a task that runs, only what has been read of it is known. */
  size(stream) {
    if (this.task.state !== "RUNNING") return ` (${bytes(this.task[stream].size)})`;
    return this.stream === stream && this.come > 0 ? ` (${bytes(this.come)} so far)` : "";
  }

  async read() {
    const id = this.id;
    const both = await this.newest((signal) => Promise.all([
      get(`api/v1/tasks/${id}`, { signal }), get(`api/v1/tasks/${id}/explain`, { signal })]));
    if (!both) return;
    [this.task, this.why] = both;
    // Of a task that failed, its errors are what one came for.
    this.stream ??= ["FAILED", "AUTO_BLOCKED"].includes(this.task.state) && this.task.stderr.size > 0 ? "stderr" : "stdout";
  }

  retry() {
    tryAgain(this, { select: this.task.id, count: 1, done: () => this.read() });
  }

  /** What happened stays in view; how the strategy weighed it is for those who want to know. */
  renderWhy() {
    const text = said(inLocalTime(this.why.text.replace(STATE_NAMES, (state) => (state === this.task.state ? words(stateOf(this.task)) : words(state)))));
    const lines = text.split("\n");
    const weighed = lines.findIndex((line) => WEIGHED.test(line));
    if (weighed < 0) return html`<p class="explain">${text}</p>`;
    return html`<div><p class="explain">${lines.slice(0, weighed).join("\n")}</p>
      <details class="small"><summary>How the scheduler chose its ${this.task.attempts === 1 ? "machine" : "machines"}</summary><p class="explain quiet">${lines.slice(weighed).join("\n")}</p></details></div>`;
  }

  renderUsage() {
    if (!this.task.started) return nothing;
    return html`<imker-usage .url=${`api/v1/tasks/${this.id}/usage`} .live=${this.task.state === "RUNNING"}></imker-usage>`;
  }

  renderAttempts() {
    const attempts = this.task.attemptHistory ?? [];
    if (attempts.length < 1) return nothing;
    return html`<div class="table-box" tabindex="0"><table><caption class="visually-hidden">Attempts</caption>
      <thead><tr><th scope="col">Attempt</th><th scope="col">Node</th><th scope="col" class="optional">Started</th><th scope="col" class="number">Took</th>
        <th scope="col">Outcome</th><th scope="col" class="optional">Had</th><th scope="col" class="number optional">Memory</th><th scope="col" class="optional">Note</th></tr></thead>
      <tbody>${attempts.map((one) => html`<tr><td>${one.number}</td><td>${one.node}</td><td class="optional">${moment(one.started ?? one.leased)}</td>
        <td class="number">${one.started ? duration((one.ended ? new Date(one.ended) : Date.now()) - new Date(one.started)) : "–"}</td>
        <td>${one.outcome ? words(one.outcome) : "running"}${one.exitCode ? ` (exit code ${one.exitCode})` : ""}</td>
        <td class="optional small">${had(one.had)}</td><td class="number optional">${bytes(one.peakMemoryBytes)}</td><td class="optional quiet small">${one.error}</td></tr>`)}</tbody></table></div>`;
  }

  renderLog() {
    const { state } = this.task;
    const turn = (stream) => () => { this.stream = stream; this.come = 0; };
    return html`<div class="stack"><div class="row" role="group" aria-label="Which output">
      <button class="small" aria-pressed=${this.stream === "stdout"} @click=${turn("stdout")}>Output${this.size("stdout")}</button>
      <button class="small" aria-pressed=${this.stream === "stderr"} @click=${turn("stderr")}>Errors${this.size("stderr")}</button></div>
      <imker-log .url=${`api/v1/tasks/${this.id}/${this.stream}`} .live=${state === "RUNNING" || state === "READY"} .attempt=${this.task.attempts} @grown=${({ detail }) => { this.come = detail; }}></imker-log></div>`;
  }

  render() {
    if (this.error) return this.problem(() => this.read());
    if (!this.task) return loading("Reading the task");
    const failed = ["FAILED", "AUTO_BLOCKED", "CANCELLED"].includes(this.task.state);
    return html`<section class="card stack" aria-labelledby="task-title">
      <div class="card-head"><h2 id="task-title">Task ${this.task.id}</h2>${chip(stateOf(this.task))}
        ${failed && mayWork() ? html`<button class="small" @click=${() => this.retry()}>Try again…</button>` : nothing}
        <button class="small plain" @click=${() => setQuery({ task: "" })}>Close</button></div>
      ${this.renderWhy()}
      ${this.renderRun()}
      ${this.task.progress ? html`<p class="progress-said"><progress max="1" value=${this.task.progress.fraction} aria-label="progress of the task"></progress>
        ${Math.floor(100 * this.task.progress.fraction)} % ${this.task.progress.text}</p>` : nothing}
      ${this.renderLog()}
      ${this.renderUsage()}
      ${this.renderAttempts()}
      ${resultList(this, this.task)}</section>`;
  }
}
customElements.define("imker-task", Task);
