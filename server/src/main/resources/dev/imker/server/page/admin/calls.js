// Which calls the server answers, how often and how fast; from its own metrics.
import { html } from "../lit.js";
import { text } from "../api.js";
import { duration, number } from "../format.js";
import { View, loading } from "../components/view.js";

const LINE = /^imker_http_requests_seconds_(count|sum|max)\{(.*)\} (\S+)$/;

/** Sums by route and status. */
export function calls(metrics) {
  const found = new Map();
  for (const line of metrics.split("\n")) {
    const match = LINE.exec(line);
    if (!match) continue;
    const labels = Object.fromEntries([...match[2].matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
    const key = `${labels.method} ${labels.path}`;
    const one = found.get(key) ?? { key, count: 0, sum: 0, max: 0, errors: 0 };
    const value = Number(match[3]);
    if (match[1] === "max") one.max = Math.max(one.max, value);
    else one[match[1]] += value;
    if (match[1] === "count" && Number(labels.status) >= 400) one.errors += value;
    found.set(key, one);
  }
  return [...found.values()].sort((a, b) => b.count - a.count);
}

class Calls extends View {
  static properties = { calls: { state: true } };

  enter() {
    this.read();
  }

  read() {
    return this.load(async (signal) => { this.calls = calls(await text("metrics", { signal })); });
  }

  render() {
    if (this.error) return this.problem(() => this.read());
    if (!this.calls) return loading("Reading figures");
    return html`<section class="card flush"><header><h2>Calls since the server started</h2><button class="small" @click=${() => this.read()}>Refresh</button></header>
      <div class="table-box" tabindex="0"><table><thead><tr><th scope="col">Call</th><th scope="col" class="number">Count</th><th scope="col" class="number">Mean</th><th scope="col" class="number">Slowest recently</th><th scope="col" class="number">Refused or failed</th></tr></thead>
        <tbody>${this.calls.map((one) => html`<tr><td class="name"><code>${one.key}</code></td><td class="number">${number(one.count)}</td><td class="number">${duration((one.sum / one.count) * 1000)}</td>
          <td class="number">${duration(one.max * 1000)}</td><td class="number">${number(one.errors)}</td></tr>`)}</tbody></table></div></section>`;
  }
}
customElements.define("imker-calls", Calls);
