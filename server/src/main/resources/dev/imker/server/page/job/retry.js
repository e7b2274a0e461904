// Trying failed tasks again: in their job, anywhere or on one machine; or in a new job with other needs or parameters.
import { html } from "../lit.js";
import { get, post, query } from "../api.js";
import { plural } from "../format.js";
import { go } from "../router.js";
import { ask } from "../components/dialog.js";

const MOST_NODES = 500;
const MEGABYTE = 1 << 20;

async function connected(page) {
  const table = await page.attempt(() => get(`api/v1/figures/nodes${query({ state: "connected", sort: "name", limit: MOST_NODES, offset: 0 })}`));
  const column = (name) => table.columns.indexOf(name);
  return (table?.rows ?? []).map((row) => ({ id: row[column("id")], name: row[column("name")] }));
}

function fields(nodes, select) {
  const single = select.includes(".");
  return html`<label><span class="label">Where</span><select name="pin">
      <option value="any">Any machine that suits them</option>
      ${nodes.map((node) => html`<option value=${node.id}>Only on ${node.name}</option>`)}</select></label>
    <label><span class="label">Memory per task in MB (creates a new job)</span>
      <input name="memory" type="number" min="1" placeholder="as before" ?disabled=${!single}></label>
    <label class="check"><input type="checkbox" name="edit" ?disabled=${!single}> Change parameters or other fields first (creates a new job)</label>`;
}

/**
 * Asks how, and does it. `select` names the tasks, or a whole job; `count` is how many they are.
 */
export async function tryAgain(page, { select, count, done }) {
  if (page.busy) return;
  const answer = await ask({
    title: `Try ${plural(count, "task")} again?`, text: "Finished tasks are kept.", action: "Try again", fields: fields(await connected(page), select),
  });
  if (!answer) return;
  if (answer.memory || answer.edit) {
    go("submit", [], { from: select.split(".")[0], select, memory: answer.memory ? answer.memory * MEGABYTE : "" });
    return;
  }
  const made = await page.attempt(async () => {
    const filter = { select, states: ["FAILED", "AUTO_BLOCKED", "CANCELLED"] };
    if (answer.pin !== "any") await post("api/v1/bulk", { action: "SET", filter, set: { pin: answer.pin } });
    return post("api/v1/bulk", { action: "RETRY", filter });
  }, (changed) => `${plural(changed.tasks, "task")} will be tried again.`);
  if (made) done?.();
}
