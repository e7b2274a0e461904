// The same for many jobs at once.
import { html, nothing } from "../lit.js";
import { post, remove } from "../api.js";
import { number, plural } from "../format.js";
import { ask } from "../components/dialog.js";
import { toast } from "../components/toast.js";

const ORDERS = [
  { name: "cancel", title: "Cancel", danger: true, text: "Running tasks are stopped; what is done stays." },
  { name: "block", title: "Hold back", text: "Tasks that have not started wait until they are released." },
  { name: "release", title: "Release or retry", text: "Held-back tasks go on; failed and cancelled ones are tried again." },
  { name: "priority", title: "Priority", text: "Tasks with a higher number come first." },
  { name: "delete", title: "Delete", danger: true, text: "Finished jobs are removed with all of their results. This cannot be undone." },
];

const priorityField = html`<label><span class="label">Priority, 0 to 9</span>
  <input name="priority" type="number" min="0" max="9" value="4" required></label>`;

function send(order, id, answer) {
  if (order.name === "delete") return remove(`api/v1/jobs/${id}`);
  const body = order.name === "priority" ? { priority: Number(answer.priority) } : {};
  return post(`api/v1/jobs/${id}/${order.name}`, body);
}

async function apply(view, order) {
  const ids = [...view.chosen];
  const answer = await ask({
    title: `${order.title}: ${plural(ids.length, "job")}?`, text: order.text, action: order.title,
    danger: order.danger, fields: order.name === "priority" ? priorityField : nothing,
  });
  if (!answer) return;
  const results = await Promise.allSettled(ids.map((id) => send(order, id, answer)));
  const failed = results.filter((result) => result.status === "rejected");
  if (failed.length) toast(`${number(failed.length)} of ${number(ids.length)}: ${failed[0].reason.message}`, "error");
  else toast(`${order.title}: ${plural(ids.length, "job")}, done.`);
  view.read();
}

export function bulkBar(view) {
  if (!view.chosen.size) return nothing;
  return html`<div class="note row" role="region" aria-label="Actions on chosen jobs">
    <strong>${plural(view.chosen.size, "job")} chosen</strong>
    ${ORDERS.map((order) => html`<button class="small ${order.danger ? "danger" : ""}" @click=${() => apply(view, order)}>${order.title}</button>`)}
    <button class="small plain" @click=${() => { view.chosen = new Set(); }}>None</button>
  </div>`;
}
