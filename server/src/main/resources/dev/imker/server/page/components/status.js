// States in words and colour; never in colour alone.
import { html, nothing } from "../lit.js";
import { number, words } from "../format.js";

export const STATES = ["done", "running", "ready", "waiting", "blocked", "autoBlocked", "failed", "skipped", "cancelled"];

/** A task that failed without ever having run was skipped: what it depends on failed. */
export const stateOf = (task) => (task.state === "FAILED" && !task.attempts ? "skipped" : task.state);

export const chip = (state) => html`<span class="chip ${words(state)}">${words(state)}</span>`;

function share(value, all) {
  return all === 0 ? 0 : Math.max((value / all) * 100, value > 0 ? 0.5 : 0);
}

/** The server counts skipped tasks among the failed ones, and says how many they are. */
export const apart = (counts) => ({ ...counts, failed: counts.failed - (counts.skipped ?? 0) });
/** Tasks that failed themselves, whatever the server calls their state. */
export const failedOf = (counts) => counts.failed + counts.autoBlocked - (counts.skipped ?? 0);

/** How the tasks of a job are spread over their states. */
export function stateBar(all, tasks, label, tall = false) {
  const counts = apart(all);
  const done = tasks === 0 ? 0 : Math.floor((counts.done / tasks) * 100);
  return html`<div class="bar ${tall ? "tall" : ""}" role="progressbar" aria-label=${label}
    aria-valuemin="0" aria-valuemax="100" aria-valuenow=${done}
    title=${`${number(counts.done)} of ${number(tasks)} done`}>
    ${STATES.map((state) => counts[state] > 0 && state !== "ready" && state !== "waiting"
      ? html`<span class="fill-${words(state)}" .style=${`width:${share(counts[state], tasks)}%`}></span>`
      : nothing)}
  </div>`;
}

export function legend(all) {
  const counts = apart(all);
  const sums = new Map();
  for (const state of STATES) {
    if (counts[state] > 0) sums.set(words(state), (sums.get(words(state)) ?? 0) + counts[state]);
  }
  return html`<ul class="legend">${[...sums].map(([name, count]) => html`<li><i class="fill-${name}"></i>${number(count)} ${name}</li>`)}</ul>`;
}

export const isSettled = (status) => ["DONE", "FAILED", "CANCELLED"].includes(status);
