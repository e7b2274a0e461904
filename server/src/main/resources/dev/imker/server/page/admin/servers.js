// The servers of the pool: who leads, who could.
import { html } from "../lit.js";
import { get } from "../api.js";
import { duration, time } from "../format.js";
import { View, loading } from "../components/view.js";

/** A standby reads what has changed every so often. */
const BEHIND_MILLIS = 2000;

function standing(server) {
  if (!server.running) return `silent for ${duration(server.silentMillis)}`;
  if (server.leads) return "leads";
  if (server.drained) return "drained";
  return server.behindMillis < BEHIND_MILLIS ? "stands by" : `stands by, ${duration(server.behindMillis)} behind`;
}

class Servers extends View {
  static properties = { servers: { state: true } };

  enter() {
    this.load(async (signal) => { this.servers = (await get("api/v1/servers", { signal })).servers; });
  }

  render() {
    if (this.error) return this.problem(() => this.enter());
    if (!this.servers) return loading("Reading the servers");
    return html`<section class="card flush"><header><h2>Servers</h2></header><div class="table-box"><table>
      <thead><tr><th scope="col">Address</th><th scope="col">State</th><th scope="col" class="optional">Version</th><th scope="col" class="optional">Started</th></tr></thead>
      <tbody>${this.servers.map((server) => html`<tr><td class="name">${server.urls.join(", ")}</td><td>${standing(server)}</td>
        <td class="optional">${server.version}</td><td class="optional">${time(server.started)}</td></tr>`)}</tbody></table></div></section>`;
  }
}
customElements.define("imker-servers", Servers);
