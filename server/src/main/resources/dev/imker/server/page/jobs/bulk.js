// The same for many jobs at once: those that are chosen, or all that the filter lets pass, in one request.
import { html, nothing } from "../lit.js";
import { post } from "../api.js";
import { number, plural } from "../format.js";
import { ask } from "../components/dialog.js";
import { toast } from "../components/toast.js";

const ACTIONS = [
  { name: "CANCEL", title: "Cancel", danger: true, text: "Running tasks are stopped; what is done stays." },
  { name: "BLOCK", title: "Hold", text: "Tasks that have not started wait until they are released." },
  { name: "RELEASE", title: "Release or retry", text: "Held tasks go on; failed and cancelled ones are tried again." },
  { name: "PRIORITY", title: "Priority", text: "Tasks with a higher number come first." },
  { name: "DELETE", title: "Delete", danger: true, text: "Finished jobs are deleted with all their results. This cannot be undone." },
];

const priorityField = html`<label><span class="label">Priority, 0 to 9</span>
  <input name="priority" type="number" min="0" max="9" value="4" required></label>`;

/** Which jobs are meant, as a request names them. */
function meant(view) {
  if (!view.everything) return { select: [...view.chosen].join(",") };
  const { name, status, project, user } = view.filter();
  const filter = Object.fromEntries(Object.entries({ name, project, user }).filter(([, value]) => value));
  if (status) filter.statuses = [status];
  return Object.keys(filter).length ? filter : { all: true };
}

/** What is released by number is tried again where it failed; what is meant by a filter is, too. */
const states = (action, filter) => (action.name === "RELEASE" && !filter.select ? { ...filter, states: ["BLOCKED", "AUTO_BLOCKED", "FAILED", "CANCELLED"] } : filter);

async function apply(view, action) {
  const filter = states(action, meant(view));
  const rest = action.name === "PRIORITY" ? { priority: 4 } : {};
  const would = await view.attempt(() => post("api/v1/bulk", { action: action.name, filter, dryRun: true, ...rest }));
  if (!would) return;
  if (!would.jobs) {
    toast(`${action.title}: there is nothing to do for ${view.everything ? "these jobs" : plural(view.chosen.size, "chosen job")}.`);
    return;
  }
  const answer = await ask({
    title: `${action.title} ${plural(would.jobs, "job")}?`, text: `${action.text} ${plural(would.tasks, "task")} in all.`, action: `${action.title} ${plural(would.jobs, "job")}`,
    danger: action.danger, fields: action.name === "PRIORITY" ? priorityField : nothing,
  });
  if (!answer) return;
  const more = action.name === "PRIORITY" ? { priority: Number(answer.priority) } : {};
  // What has come to match since then was not asked about, and is left alone.
  await view.attempt(() => post("api/v1/bulk", { action: action.name, filter: { ...filter, among: would.among }, ...more }), (done) =>
    `${action.title}: ${plural(done.jobs, "job")}, done.${done.kept ? ` ${number(done.kept)} were kept, because others wait for them.` : ""}`);
  view.read();
}

export function bulkBar(view) {
  if (!view.chosen.size && !view.everything) return nothing;
  const wholePage = view.jobs?.length > 0 && view.jobs.every((job) => view.chosen.has(job.id)) && view.next;
  return html`<div class="note row" role="region" aria-label="Actions on chosen jobs">
    <strong>${view.everything ? "All jobs that match are chosen" : `${plural(view.chosen.size, "job")} chosen`}</strong>
    ${wholePage && !view.everything ? html`<button class="small" @click=${() => { view.everything = true; }}>Select all that match</button>` : nothing}
    ${ACTIONS.map((action) => html`<button class="small ${action.danger ? "danger" : ""}" ?disabled=${view.busy} @click=${() => apply(view, action)}>${action.title}</button>`)}
    <button class="small plain" @click=${() => { view.chosen = new Set(); view.everything = false; }}>None</button>
  </div>`;
}
