// The audit log: who did what, newest first.
import { html, nothing } from "../lit.js";
import { get, query as search } from "../api.js";
import { moment } from "../format.js";
import { setQuery } from "../router.js";
import { isAdmin } from "../session.js";
import { pager } from "../components/pager.js";
import { View, empty, loading } from "../components/view.js";

class Audit extends View {
  static properties = { query: { attribute: false }, entries: { state: true }, next: { state: true } };

  willUpdate(changed) {
    if (changed.has("query")) this.read();
  }

  async read() {
    const page = await this.newest((signal) => get(`api/v1/audit${search({ limit: 50, user: this.query.user, before: this.query.before })}`, { signal }));
    if (page) [this.entries, this.next] = [page.entries, page.next];
  }

  render() {
    if (this.error) return this.problem(() => this.read());
    if (!this.entries) return loading("Reading the log");
    return html`<div class="stack">${isAdmin() ? html`<form class="filters" role="search" aria-label="Filter the log" @submit=${(event) => { event.preventDefault(); setQuery({ user: new FormData(event.target).get("user"), before: "" }); }}>
        <label><span class="label">User</span><input name="user" .value=${this.query.user ?? ""}></label><button>Filter</button></form>` : nothing}
      <section class="card flush" aria-label="Audit log">${this.entries.length ? html`<div class="table-box" tabindex="0"><table><thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col" class="number">Answer</th><th scope="col" class="optional">From</th></tr></thead>
        <tbody>${this.entries.map((entry) => html`<tr><td class="tight">${moment(entry.at)}</td><td>${entry.user} <span class="quiet small">${entry.role.toLowerCase()}</span></td><td class="name"><code>${entry.action}</code></td>
          <td class="number ${entry.status >= 400 ? "bad" : ""}">${entry.status}</td><td class="optional">${entry.address}</td></tr>`)}</tbody></table></div>
        ${pager("newest first", { key: "before", from: this.query.before, next: this.next })}`
        : empty("No entries", "Everything that changes something appears here.")}</section></div>`;
  }
}
customElements.define("imker-audit", Audit);
