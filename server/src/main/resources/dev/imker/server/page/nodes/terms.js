// On which terms an admin has a machine used: pause, drain, restrict; who said so, and why.
import { html, nothing } from "../lit.js";
import { render } from "../lib/lit-html/lit-html.js";
import { path, post } from "../api.js";
import { ago, plural } from "../format.js";
import { ask, showDialog } from "../components/dialog.js";

const KINDS = ["command", "java", "noop"];

const reason = html`<label><span class="label">Reason, shown to others</span><input name="why" maxlength="200" autocomplete="off"></label>`;

/** What an order is called, and what it does. */
const ORDERS = {
  pause: { title: "Pause", text: "Its tasks are paused, and it gets no new ones. They continue when it is resumed; a pause set by its owner still applies.", body: { paused: true }, done: "is paused" },
  drain: { title: "Drain", text: "It finishes its tasks and gets no new ones, even after a restart.", body: { draining: true }, done: "finishes its tasks and gets no new ones" },
  expose: { title: "Allow without sandbox", text: "Tasks of every account can then read and change everything that its agent's user can.", body: { unsandboxed: true }, done: "runs tasks of every account without a sandbox" },
};

const send = (view, node, body, done) => view.attempt(() => post(path`api/v1/nodes/${node.id}/terms`, body), done);

async function order(view, node, name) {
  const { title, text, body, done } = ORDERS[name];
  const answer = await ask({ title: `${title} ${node.name}?`, text, action: title, fields: reason });
  if (!answer) return;
  await send(view, node, { ...body, why: answer.why }, `${node.name} ${done}.`);
  view.read();
}

async function lift(view, node, body, done) {
  await send(view, node, body, done);
  view.read();
}

async function restrict(view, node, present) {
  const answer = await ask({
    title: `Restrict ${node.name}`, text: "It gets only the work listed here. Tasks already running are not affected. Empty fields restrict nothing.", action: "Restrict",
    fields: html`<label><span class="label">Only for these users and projects</span>
        <input name="serves" autocomplete="off" placeholder="ann, bob/render, */nightly" .value=${present?.serves.join(", ") ?? ""}></label>
      <fieldset class="row"><legend class="label">Only jobs of these kinds</legend>${KINDS.map((kind) => html`<label class="check">
        <input type="checkbox" name=${`kind-${kind}`} ?checked=${present?.kinds.includes(kind)}> ${kind}</label>`)}</fieldset>
      <label><span class="label">Maximum number of cores</span><input name="cores" type="number" min="1" placeholder="all" .value=${present?.cores || ""}></label>${reason}`,
  });
  if (!answer) return;
  const restriction = {
    serves: answer.serves.split(/[\s,]+/).filter(Boolean), kinds: KINDS.filter((kind) => answer[`kind-${kind}`]), cores: Number(answer.cores || 0),
  };
  const any = restriction.serves.length || restriction.kinds.length || restriction.cores;
  await send(view, node, { restriction, why: answer.why }, any ? `${node.name} is restricted.` : `${node.name} is no longer restricted.`);
  view.read();
}

/** Buttons of all orders that make sense now. `node` has id, name and perhaps terms. */
export function termButtons(view, node) {
  const { paused, draining, restriction, unsandboxed } = node.terms ?? {};
  const exposed = node.agents?.some((agent) => agent.sandbox?.startsWith("off"));
  const button = (title, action) => html`<button class="small" aria-label="${title} ${node.name}" @click=${action}>${title}</button>`;
  return html`<span class="actions">
    ${paused ? button("Resume", () => lift(view, node, { paused: false }, `${node.name} resumes, unless its owner paused it.`)) : button("Pause", () => order(view, node, "pause"))}
    ${draining ? button("Undrain", () => lift(view, node, { draining: false }, `${node.name} gets work again.`)) : button("Drain", () => order(view, node, "drain"))}
    ${unsandboxed ? button("Admins only", () => lift(view, node, { unsandboxed: false }, `${node.name} runs only tasks of admins without a sandbox.`)) : exposed ? button("Allow without sandbox", () => order(view, node, "expose")) : nothing}
    ${button("Restrict", () => restrict(view, node, restriction))}</span>`;
}

const who = (one) => `by ${one.by}, ${ago(one.since)}${one.why ? `: ${one.why}` : ""}`;

function purpose({ serves, kinds, cores }) {
  return [serves.length ? `for ${serves.join(", ")}` : "", kinds.length ? `for jobs of the kind ${kinds.join(" or ")}` : "",
    cores ? `with at most ${plural(cores, "core")}` : ""].filter(Boolean).join(", ");
}

/** The terms in words, each in a line of its own; nothing if there are none. */
export function termList(terms) {
  if (!terms || !(terms.paused || terms.draining || terms.restriction || terms.unsandboxed)) return nothing;
  return html`<span class="terms quiet small">
    ${terms.paused ? html`<span>paused ${who(terms.paused)}</span>` : nothing}
    ${terms.draining ? html`<span>draining ${who(terms.draining)}</span>` : nothing}
    ${terms.restriction ? html`<span>only ${purpose(terms.restriction)}; ${who(terms.restriction)}</span>` : nothing}
    ${terms.unsandboxed ? html`<span>tasks of all accounts without a sandbox: allowed ${who(terms.unsandboxed)}</span>` : nothing}</span>`;
}

/** The same behind one button, where there is little room. The menu is gone before the next question comes: the focus returns to the button. */
export function termMenu(view, node) {
  return html`<button class="small" aria-label="Actions for ${node.name}" @click=${() => openMenu(view, node)}>Actions</button>`;
}

function openMenu(view, node) {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", "orders-title");
  render(html`<div class="stack" @click=${{ handleEvent: (event) => { if (event.target.closest("button")) dialog.close(); }, capture: true }}><h2 id="orders-title">${node.name}</h2>
    ${termList(node.terms)}${termButtons(view, node)}<div class="actions"><button>Back</button></div></div>`, dialog);
  showDialog(dialog);
}
