// What can be done with a job.
import { html, nothing } from "../lit.js";
import { post, remove, requestKey, text } from "../api.js";
import { number, plural } from "../format.js";
import { go, href } from "../router.js";
import { failedOf, isSettled } from "../components/status.js";
import { tryAgain } from "./retry.js";
import { canNotify, isWatched, unwatch, watch } from "../components/notify.js";
import { toast } from "../components/toast.js";
import { ask } from "../components/dialog.js";

const priorityField = (present) => html`<label><span class="label">Priority, 0 to 9</span>
  <input name="priority" type="number" min="0" max="9" .value=${present} required></label>`;

async function order(page, name, question) {
  if (page.busy) return;
  const answer = question ? await ask(question) : {};
  if (!answer) return;
  const body = name === "priority" ? { priority: Number(answer.priority) } : {};
  const result = await page.attempt(() => post(`api/v1/jobs/${page.view.id}/${name}`, body),
    (changed) => (name === "priority" ? "The priority was changed." : `${plural(changed.changed, "task")} changed.`));
  if (result) page.ordered(result.job);
}

/** A second click while the first is under way is the same wish; so is one after an answer that got lost. */
async function rerun(page) {
  if (page.busy) return;
  page.wish ??= requestKey();
  const made = await page.attempt(async () => {
    const file = await text(`api/v1/jobs/${page.view.id}/jobfile`);
    return post("api/v1/jobfiles", { text: file, name: "job.yaml" }, { headers: { "Idempotency-Key": page.wish } });
  }, "The same job was submitted again.");
  if (made) page.wish = undefined;
  if (made) go("job", [made.jobs[0].id]);
}

async function drop(page) {
  const sure = await ask({
    title: "Delete this job?", text: "It is deleted with all its results. This cannot be undone.",
    action: "Delete", danger: true,
  });
  if (!sure) return;
  const done = await page.attempt(async () => { await remove(`api/v1/jobs/${page.view.id}`); return true; }, "The job was deleted.");
  if (done) go("jobs");
}

async function notify(page) {
  const { id } = page.view;
  if (isWatched(id)) unwatch(id);
  else if (!(await watch(id))) toast("The browser blocks notifications from this site. You can change this in its site settings.", "error");
  page.requestUpdate();
}

export function jobActions(page) {
  const { counts, status, id, priority, name } = page.view;
  const over = isSettled(status);
  const failed = failedOf(counts);
  const what = failed ? `${number(failed)} failed` : counts.skipped ? `${number(counts.skipped)} skipped` : `${number(counts.cancelled)} cancelled`;
  const troubled = counts.failed + counts.autoBlocked + counts.cancelled;
  return html`<div class="actions">
    ${over ? nothing : html`<button class="danger" @click=${() => order(page, "cancel", { title: `Cancel ${name}?`, text: "Running tasks are stopped; what is done stays.", action: "Cancel the job", danger: true })}>Cancel</button>`}
    ${counts.ready + counts.waiting > 0 ? html`<button @click=${() => order(page, "block")}>Hold</button>` : nothing}
    ${counts.blocked > 0 ? html`<button @click=${() => order(page, "release")}>Release</button>` : nothing}
    ${troubled > 0 ? html`<button @click=${() => tryAgain(page, { select: String(id), count: troubled, done: () => page.watch() })}>Retry ${what}</button>` : nothing}
    ${over ? nothing : html`<button @click=${() => order(page, "priority", { title: "Change the priority", text: "Tasks with a higher number come first.", action: "Change", fields: priorityField(priority) })}>Priority</button>`}
    ${over || !canNotify() ? nothing : html`<button aria-pressed=${isWatched(id)} @click=${() => notify(page)}>Notify me</button>`}
    <button @click=${() => rerun(page)}>Run again</button>
    <a class="button" href=${href("compare", [], { a: id })}>Compare</a>
    <a class="button" href=${href("submit", [], { from: id })}>Edit and resubmit</a>
    ${over ? html`<button class="danger" @click=${() => drop(page)}>Delete</button>` : nothing}
  </div>`;
}
