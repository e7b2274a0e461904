// Agents: which get work, and which are to finish and rest.
import { html, nothing, repeat } from "../lit.js";
import { get, path, post } from "../api.js";
import { ago, number } from "../format.js";
import { href } from "../router.js";
import { follow } from "../live.js";
import { chip } from "../components/status.js";
import { View, empty, loading } from "../components/view.js";

const MOST = 200;
const REFRESH_MILLIS = 3000;

const named = ([id, name, state, running, slots, pause, seen]) => ({ id, name, state, running, slots, pause, seen });
const stateOf = (agent) => (agent.state === "connected" && agent.pause ? "paused" : agent.state);

class Agents extends View {
  static properties = { agents: { state: true }, wanted: { state: true } };

  enter() {
    this.wanted = "";
    this.read();
    this.onLeave(follow("/api/v1/events?nodes=hint", { nodes: () => { this.timer ??= setTimeout(() => { this.timer = undefined; this.read(); }, REFRESH_MILLIS); } }));
    this.onLeave(() => clearTimeout(this.timer));
  }

  read() {
    return this.load(async (signal) => {
      const { columns, rows } = await get("/api/v1/figures/nodes", { signal });
      const [id, name, agents] = ["id", "name", "agents"].map((column) => columns.indexOf(column));
      this.agents = rows.flatMap((row) => row[agents].map((agent) => ({ ...named(agent), node: { id: row[id], name: row[name] } })));
    });
  }

  async drain(agent, on) {
    await this.attempt(() => post(path`/api/v1/agents/${agent.id}/drain`, { on }),
      on ? `${agent.name} finishes what it has and gets nothing more.` : `${agent.name} gets work again.`);
    this.read();
  }

  render() {
    if (this.error) return this.problem(() => this.read());
    if (!this.agents) return loading("Reading agents");
    const shown = this.agents.filter((agent) => agent.name.toLowerCase().includes(this.wanted.toLowerCase()));
    return html`<div class="stack"><p class="quiet">A drained agent finishes what it has and gets nothing more, until it connects anew. Whom a machine works for, when, and how much of it,
      its owner says in the agent's <code>policy.yaml</code>; <code>imker agent pause</code> on the machine freezes its tasks.</p>
      <label class="templates"><span class="label">Name</span><input type="search" @input=${(event) => { this.wanted = event.target.value; }}></label>
      <section class="card flush" aria-label="List of agents">${shown.length ? html`<div class="table-box"><table><thead><tr><th scope="col">Agent</th><th scope="col">Node</th><th scope="col">State</th>
        <th scope="col" class="number">Running</th><th scope="col" class="optional">Seen</th><th scope="col"><span class="visually-hidden">Orders</span></th></tr></thead>
        <tbody>${repeat(shown.slice(0, MOST), (agent) => agent.id, (agent) => html`<tr><td class="name">${agent.name}</td><td><a href=${href("node", [agent.node.id])}>${agent.node.name}</a></td>
          <td>${chip(stateOf(agent))} <span class="quiet small">${agent.pause}</span></td>
          <td class="number">${number(agent.running)}<span class="quiet"> / ${number(agent.slots)}</span></td><td class="optional">${ago(agent.seen)}</td>
          <td class="tight">${agent.state === "away" ? nothing : html`<button class="small" aria-label="${agent.state === "draining" ? "Give work again to" : "Drain"} ${agent.name}" @click=${() => this.drain(agent, agent.state !== "draining")}>${agent.state === "draining" ? "Give work again" : "Drain"}</button>`}</td></tr>`)}</tbody></table></div>`
        : empty("No agent", "None has this name, or none has joined yet.")}</section>
      ${shown.length > MOST ? html`<p class="quiet">${number(MOST)} of ${number(shown.length)}; search for others by name.</p>` : nothing}</div>`;
  }
}
customElements.define("imker-agents", Agents);
