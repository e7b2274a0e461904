// Why tasks of a job failed: alike failures together, and what failed tasks have that others have not.
import { html, nothing } from "../lit.js";
import { get } from "../api.js";
import { number, plural } from "../format.js";
import { href } from "../router.js";
import { mayWork } from "../session.js";
import { View, empty, loading } from "../components/view.js";
import { tryAgain } from "./retry.js";
import "../components/log.js";

const MOST_NAMED = 5;

function some(names) {
  return names.length <= MOST_NAMED ? names.join(", ") : `${names.slice(0, MOST_NAMED).join(", ")} and ${number(names.length - MOST_NAMED)} more`;
}

/** Numbers of tasks out of a selector: 12.3..5,12.9 become "3–5, 9". */
const numbers = (selector) => some(selector.split(",").map((one) => one.replace(/^\d+\./, "").replace("..", "–")));

/** A difference as a sentence. */
export function sentence({ kind, name, value, from, to, failed, ofFailed, succeeded, ofSucceeded }) {
  const who = failed === ofFailed ? (failed === 1 ? "The failed task" : `All ${number(failed)} failed tasks`) : `${number(failed)} of ${number(ofFailed)} failed tasks`;
  const what = value === undefined ? `had ${name} from ${from} to ${to}` : { node: `ran on ${value}`, stage: `came from stage ${value}`, param: `had ${name}=${value}` }[kind];
  const others = succeeded === 0 ? `none of the ${number(ofSucceeded)} that succeeded did` : `so did ${number(succeeded)} of the ${number(ofSucceeded)} that succeeded`;
  return `${who} ${what}; ${others}.`;
}

class Failures extends View {
  static properties = { job: { attribute: false }, query: { attribute: false }, version: {}, found: { state: true }, opened: { state: true } };

  willUpdate(changed) {
    if (changed.has("version")) this.reread();
  }

  async read() {
    const found = await this.load((signal) => get(`api/v1/jobs/${this.job.id}/failures`, { signal }));
    if (!found) return;
    this.found = found;
  }

  search(group) {
    return href("job", [this.job.id], { tab: "tasks", state: "failed", exit: group.exitCode ?? "", text: group.written && !group.varies ? group.message : "" });
  }

  renderGroup(group) {
    const nodes = Object.entries(group.nodes);
    const params = Object.entries(group.params);
    const open = this.opened === group.first;
    return html`<article class="group" aria-label="Failure: ${group.message}">
      <div class="row"><span class="chip failed">${number(group.count)} failed</span>
        <code class="said grow">${group.message || "No message"}</code></div>
      <p class="quiet small">${group.varies ? "The others differ only in numbers. " : ""}${group.exitCode == null ? "It never started." : `Exit code ${group.exitCode}.`}
        ${nodes.length ? `On ${some(nodes.sort((a, b) => b[1] - a[1]).map(([name, count]) => (nodes.length > 1 ? `${name} (${number(count)})` : name)))}.` : ""}
        ${params.length ? `With ${params.map(([name, values]) => `${name}=${some(values)}`).join("; ")}.` : ""}
        ${group.count === 1 ? "Task" : "Tasks"} ${numbers(group.tasks)}.</p>
      <div class="actions">
        <button class="small" aria-expanded=${open} @click=${() => { this.opened = open ? undefined : group.first; }}>${open ? "Close the output" : `${group.written ? "Errors" : "Output"} of task ${number(group.first)}`}</button>
        <a class="button small" href=${href("job", [this.job.id], { tab: "tasks", task: group.first })}>Open task ${number(group.first)}</a>
        <a class="button small" href=${this.search(group)}>List them</a>
        ${mayWork() ? html`<button class="small" @click=${() => tryAgain(this, { select: group.tasks, count: group.count, done: () => this.read() })}>Try again…</button>` : nothing}</div>
      ${open ? html`<imker-log .url=${`api/v1/tasks/${this.job.id}.${group.first}/${group.written ? "stderr" : "stdout"}`} .live=${false}></imker-log>` : nothing}</article>`;
  }

  render() {
    if (this.error) return this.problem(() => this.read());
    if (!this.found) return loading("Reading failures");
    const { failed, skipped, looked, groups, differences } = this.found;
    if (!groups.length) return html`<section class="card">${empty("Nothing has failed", "If a task fails, this is where you see why, and what sets it apart from the others.")}</section>`;
    return html`<div class="stack"><section class="card stack" aria-labelledby="failures-title"><div class="card-head">
        <h2 id="failures-title">${plural(failed, "task")} failed${skipped ? `, ${number(skipped)} skipped` : ""}</h2>
        ${skipped ? html`<span class="quiet small">Skipped tasks never ran, because a task they depend on failed.</span>` : nothing}</div>
      ${looked < failed ? html`<p class="note">These are the reasons of the first ${number(looked)}.</p>` : nothing}
      <div>${groups.map((group) => this.renderGroup(group))}</div></section>
      ${differences.length ? html`<section class="card" aria-labelledby="differences-title"><header><h2 id="differences-title">What failed tasks have in common</h2></header>
        <ul class="plain-list">${differences.map((one) => html`<li>${sentence(one)}</li>`)}</ul></section>` : nothing}</div>`;
  }
}
customElements.define("imker-failures", Failures);
