// Agents: which get work and on which terms; pause, drain, restrict.
import { html, nothing, repeat } from "../lit.js";
import { get, query as search } from "../api.js";
import { ago, number } from "../format.js";
import { href } from "../router.js";
import { follow } from "../live.js";
import { chip } from "../components/status.js";
import { View, empty, loading } from "../components/view.js";
import { termButtons, termList } from "../nodes/terms.js";

const MOST = 100;
const REFRESH_MILLIS = 3000;
const TYPING_MILLIS = 200;

const named = ([id, name, state, running, slots, pause, seen]) => ({ id, name, state, running, slots, pause, seen });

function standing(agent, terms) {
  if (agent.state === "away") return "away";
  if (agent.pause || terms?.paused) return "paused";
  return terms?.draining ? "draining" : agent.state;
}

/** Why an agent is paused, unless that is what was ordered here. */
const own = (agent, terms) => (terms?.paused && agent.pause.startsWith(`by ${terms.paused.by}`) ? "" : agent.pause);

class Agents extends View {
  static properties = { nodes: { state: true }, total: { state: true }, wanted: { state: true } };

  enter() {
    this.wanted = "";
    this.read();
    this.onLeave(follow("api/v1/events?nodes=hint", { nodes: () => this.readSoon(REFRESH_MILLIS) }, { again: () => this.read() }));
    this.onLeave(() => clearTimeout(this.timer));
  }

  readSoon(millis) {
    this.timer ??= setTimeout(() => { this.timer = undefined; this.read(); }, millis);
  }

  read() {
    return this.load(async (signal) => {
      const { columns, rows, total } = await get(`api/v1/figures/nodes${search({ limit: MOST, name: this.wanted })}`, { signal });
      this.nodes = rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, column === "agents" ? row[i].map(named) : row[i]])));
      this.total = total;
    });
  }

  /** A row for each agent; what is ordered holds for all of a machine. */
  renderNode(node) {
    const rows = node.agents.length;
    return node.agents.map((agent, i) => html`<tr><td class="name">${agent.name}</td>
      <td><a href=${href("node", [node.id])}>${node.name}</a></td>
      <td>${chip(standing(agent, node.terms))} <span class="quiet small">${own(agent, node.terms)}</span>${i === 0 ? termList(node.terms) : nothing}</td>
      <td class="number">${number(agent.running)}<span class="quiet"> / ${number(agent.slots)}</span></td>
      <td class="optional tight">${agent.state === "away" ? ago(agent.seen) : "now"}</td>
      ${i === 0 ? html`<td class="tight" rowspan=${rows}>${termButtons(this, node)}</td>` : nothing}</tr>`);
  }

  render() {
    if (this.error) return this.problem(() => this.read());
    if (!this.nodes) return loading("Reading agents");
    return html`<div class="stack"><p class="quiet">What is set here survives restarts of agents and the server. The owner of a machine decides in the agent's <code>policy.yaml</code> for whom it works, when, and with how much;
      that comes first, and so does <code>imker agent pause</code> on the machine. From a terminal: <code class="whole">imker nodes ID --pause</code>.</p>
      <label class="templates"><span class="label">Name</span><input type="search" @input=${(event) => { this.wanted = event.target.value; this.readSoon(TYPING_MILLIS); }}></label>
      <section class="card flush" aria-label="List of agents">${this.nodes.length ? html`<div class="table-box"><table><thead><tr><th scope="col">Agent</th><th scope="col">Node</th><th scope="col">State</th>
        <th scope="col" class="number">Running</th><th scope="col" class="optional">Seen</th><th scope="col"><span class="visually-hidden">Actions</span></th></tr></thead>
        <tbody>${repeat(this.nodes, (node) => node.id, (node) => this.renderNode(node))}</tbody></table></div>`
        : empty("No agents", "No agent has this name, or none has joined yet.")}</section>
      ${this.total > MOST ? html`<p class="quiet">${number(MOST)} of ${number(this.total)}; search for others by name.</p>` : nothing}</div>`;
  }
}
customElements.define("imker-agents", Agents);
