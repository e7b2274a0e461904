// Admin: people, machines and rules of the pool. Others find their own account here.
import { html } from "../lit.js";
import { isAdmin, mayWork } from "../session.js";
import { tabs } from "../components/tabs.js";
import { View } from "../components/view.js";
import "./tokens.js";
import "./account.js";
import "./servers.js";
import "./audit.js";
import "./users.js";
import "./agents.js";
import "./rules.js";
import "./calls.js";

const ALL = [
  { name: "users", title: "Users", render: () => html`<imker-users></imker-users>` },
  { name: "tokens", title: "Tokens", everybody: true, render: () => html`<imker-tokens></imker-tokens>` },
  { name: "secrets", title: "Secrets", everybody: true, work: true, render: () => html`<imker-secrets></imker-secrets>` },
  { name: "password", title: "Password", everybody: true, render: () => html`<imker-password></imker-password>` },
  { name: "agents", title: "Agents", render: () => html`<imker-agents></imker-agents>` },
  { name: "servers", title: "Servers", render: () => html`<imker-servers></imker-servers>` },
  { name: "strategy", title: "Strategy", render: () => html`<imker-strategy></imker-strategy>` },
  { name: "retention", title: "Retention", render: () => html`<imker-retention></imker-retention>` },
  { name: "settings", title: "Settings", render: () => html`<imker-settings></imker-settings>` },
  { name: "audit", title: "Audit log", everybody: true, render: (query) => html`<imker-audit .query=${query}></imker-audit>` },
  { name: "calls", title: "Calls", render: () => html`<imker-calls></imker-calls>` },
];

class Admin extends View {
  static properties = { query: { attribute: false } };

  render() {
    const mine = ALL.filter((tab) => (tab.everybody || isAdmin()) && (!tab.work || mayWork()));
    const present = mine.find((tab) => tab.name === this.query.tab) ?? mine[0];
    return html`<div class="page-head"><h1>${isAdmin() ? "Admin" : "My account"}</h1></div>
      <div class="stack">${tabs(this, mine, present.name, present.render(this.query), "Parts of the administration")}</div>`;
  }
}
customElements.define("imker-admin", Admin);
