// Why a node is as reliable as it is, in sentences.
import { html, nothing } from "../lit.js";
import { ago, duration, number, plural, share, time } from "../format.js";

const DAY = 86400000;
const DAYS = 30;
const MOST_ABSENCES = 8;

/** When it was away between two up-times, newest first; the last one is open while it is away. */
export function absences(up, now = Date.now()) {
  return up.map((span, i) => ({ from: span.toMillis, to: up[i + 1]?.fromMillis, upFor: span.toMillis - span.fromMillis }))
    .filter((one) => one.from != null && (one.to ?? now) > now - DAYS * DAY)
    .reverse();
}

export function sentences(profile, up, now = Date.now()) {
  const said = [];
  const attempts = profile.successes + profile.failures;
  if (!attempts) said.push("No task has finished here yet, so there is nothing against it.");
  else if (!profile.faults) said.push(attempts === 1 ? "Its only attempt was not lost through its own fault." : `None of its ${number(attempts)} attempts was lost through its own fault.`);
  else said.push(`${number(profile.faults)} of its ${plural(attempts, "attempt")} ${profile.faults === 1 ? "was" : "were"} lost through its own fault: the machine disconnected, or the same task succeeded on another one. That makes ${share(profile.reliabilityPercent)}.`);
  const own = profile.failures - profile.faults;
  if (own > 0) said.push(`${plural(own, "attempt")} failed because of the task itself, which does not count against the machine.`);
  const gone = absences(up, now);
  if (gone.length) {
    const [last] = gone;
    said.push(`It went away ${gone.length === 1 ? "once" : `${number(gone.length)} times`} in the last ${DAYS} days${gone.length === 1 ? ":" : ", most recently"} ${ago(last.from, now)} after ${duration(last.upFor)}${last.to ? `, for ${duration(last.to - last.from)}` : ", and has not come back"}.`);
  } else {
    const since = up.at(-1)?.fromMillis;
    said.push(since > now - DAYS * DAY ? `It has not disconnected since it joined ${ago(since, now)}.` : `It has not disconnected in the last ${DAYS} days.`);
  }
  return said;
}

/** What is known of a machine that has had no task yet. */
const NO_TASKS = { successes: 0, failures: 0, faults: 0 };

export function reasons(profile, up) {
  if (!up.length) return nothing;
  const gone = absences(up);
  return html`<section class="card" aria-labelledby="reasons-title"><header><h2 id="reasons-title">Why it is this reliable</h2></header>
    ${sentences(profile ?? NO_TASKS, up).map((sentence) => html`<p>${sentence}</p>`)}
    ${gone.length ? html`<div class="table-box" tabindex="0"><table class="dense"><thead><tr><th scope="col">Away since</th><th scope="col" class="number">For</th><th scope="col" class="number">Up before</th></tr></thead>
      <tbody>${gone.slice(0, MOST_ABSENCES).map((one) => html`<tr><td>${time(one.from)}</td><td class="number">${one.to ? duration(one.to - one.from) : "still"}</td>
        <td class="number">${duration(one.upFor)}</td></tr>`)}</tbody></table></div>` : nothing}</section>`;
}
