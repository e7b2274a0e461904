// What needs somebody: the reason in words, and what to do about it beside it.
import { html, nothing } from "../lit.js";
import { href } from "../router.js";
import { isAdmin, mayWork } from "../session.js";

function actions(item, { release, drain }) {
  switch (item.kind) {
    case "AUTO_BLOCKED":
      return html`<a class="button small" href=${href("job", [item.job], { tab: "failures" })}>See why</a>
        ${mayWork() ? html`<button class="small" @click=${() => release(item)}>Try again</button>` : nothing}`;
    case "NO_NODE_FITS":
      return html`<a class="button small" href=${href("job", [item.job])}>Open the job</a>
        <a class="button small" href="#/nodes">See the nodes</a>`;
    case "NO_MACHINE":
      return html`<a class="button small" href=${href("nodes", [], isAdmin() ? { add: "yes" } : {})}>${isAdmin() ? "Add a machine" : "See the nodes"}</a>`;
    case "LONG_QUEUE":
      return html`<a class="button small" href="#/jobs">See the jobs</a>
        <a class="button small" href="#/nodes">See the nodes</a>`;
    case "RECHECKED":
      return html`<a class="button small" href=${href("job", [item.job])}>Open the job</a>
        <a class="button small" href=${href("node", [item.node])}>Open the node</a>`;
    case "RESTORED":
      return html`<a class="button small" href="docs/operations.md#backup">About backups</a>`;
    default:
      return html`<a class="button small" href=${href("node", [item.node])}>Open the node</a>
        ${isAdmin() ? html`<button class="small" @click=${() => drain(item)}>Drain it</button>` : nothing}`;
  }
}

export function attentionList(items, orders) {
  if (!items?.length) {
    return html`<p class="note" role="status">Nothing needs your attention: no task has failed too often, and every job has matching machines.</p>`;
  }
  return html`<section class="card" aria-labelledby="attention-title">
    <header><h2 id="attention-title">Needs attention</h2></header>
    <ul class="list">${items.map((item) => html`<li>
      <span class="chip ${item.kind === "AUTO_BLOCKED" || item.kind === "FAILING" ? "failed" : "held"}">${kind(item.kind)}</span>
      <div class="grow"><strong>${item.title}</strong><p class="quiet small">${item.reason}</p></div>
      <div class="actions">${actions(item, orders)}</div></li>`)}</ul>
  </section>`;
}

function kind(name) {
  return {
    AUTO_BLOCKED: "failed", NO_NODE_FITS: "no node fits", NO_MACHINE: "no machine", LONG_QUEUE: "long queue",
    FLAPPING: "comes and goes", FAILING: "failing node", RESTORED: "restored", RECHECKED: "re-checked",
  }[name] ?? name;
}
