// What exists once for all machines, such as licences; and amounts in words.
import { html, nothing } from "../lit.js";
import { get, path, put, remove } from "../api.js";
import { bytes, number } from "../format.js";
import { isAdmin } from "../session.js";
import { ask } from "../components/dialog.js";
import { View, empty } from "../components/view.js";

const REFRESH_MILLIS = 5000;

/** What is taken of an amount: "3 / 4". */
export function taken(name, amount) {
  const words = name === "memory" || name === "disk" ? bytes : number;
  return amount ? html`${words(amount.taken)}<span class="quiet"> / ${words(amount.has)}</span>` : "–";
}

/** All amounts but those that have a place of their own. */
export function others(amounts, except) {
  return Object.entries(amounts ?? {}).filter(([name]) => !except.includes(name))
    .map(([name, amount]) => html`<span class="amount">${name === "gpus" ? "GPUs" : name} ${taken(name, amount)}</span> `);
}

class Resources extends View {
  static properties = { resources: { state: true } };

  enter() {
    this.read();
    const timer = setInterval(() => this.read(), REFRESH_MILLIS);
    this.onLeave(() => clearInterval(timer));
  }

  read() {
    return this.load(async (signal) => { this.resources = (await get("api/v1/resources", { signal })).resources; });
  }

  async change(resource) {
    const answer = await ask({
      title: resource ? `How much ${resource.name}?` : "Add a shared resource", action: "Set it",
      text: "This much exists for all machines together. Tasks that need it hold it while they run.",
      fields: html`${resource ? nothing : html`<label><span class="label">Name</span><input name="name" required placeholder="matlab-licences"></label>`}
        <label><span class="label">Amount</span><input name="amount" type="number" min="0.01" step="0.01" required .value=${String(resource?.amount ?? "")}></label>`,
    });
    if (!answer) return;
    await this.attempt(() => put(path`api/v1/resources/${resource?.name ?? answer.name}`, { amount: Number(answer.amount) }));
    this.read();
  }

  async drop(resource) {
    const sure = await ask({ title: `Remove ${resource.name}?`, text: "Tasks that hold it keep it; those that wait for it go on waiting.", action: "Remove", danger: true });
    if (!sure) return;
    await this.attempt(() => remove(path`api/v1/resources/${resource.name}`), `${resource.name} is removed.`);
    this.read();
  }

  render() {
    if (!this.resources || (!this.resources.length && !isAdmin())) return nothing;
    return html`<section class="card flush" aria-labelledby="resources-title"><header><h2 id="resources-title">Shared resources</h2>
      ${isAdmin() ? html`<button class="small" @click=${() => this.change()}>Add a resource</button>` : nothing}</header>
      ${this.resources.length ? html`<div class="table-box"><table><thead><tr><th scope="col">Resource</th><th scope="col" class="number">In use</th><th scope="col">Used by</th>
        ${isAdmin() ? html`<th scope="col"><span class="visually-hidden">Actions</span></th>` : nothing}</tr></thead>
        <tbody>${this.resources.map((one) => html`<tr><td class="name">${one.name}</td><td class="number">${number(one.used)}<span class="quiet"> / ${number(one.amount)}</span></td>
          <td>${one.usedBy.map((holder) => `${holder.user}/${holder.project} ${number(holder.amount)}`).join(", ") || "–"}</td>
          ${isAdmin() ? html`<td class="tight"><button class="small" aria-label="Change ${one.name}" @click=${() => this.change(one)}>Change</button>
            <button class="small danger" aria-label="Remove ${one.name}" @click=${() => this.drop(one)}>Remove</button></td>` : nothing}</tr>`)}</tbody></table></div>`
        : empty("No shared resources", "Things that exist once for all machines, such as licences or database connections.")}</section>`;
  }
}
customElements.define("imker-resources", Resources);
