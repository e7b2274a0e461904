// Rules of the pool: how work is handed out, how long it is kept, other settings.
import { html, nothing } from "../lit.js";
import { get, post, put } from "../api.js";
import { bytes, plural } from "../format.js";
import { ask } from "../components/dialog.js";
import { View, loading } from "../components/view.js";

class StrategyRules extends View {
  static properties = { strategy: { state: true }, chosen: { state: true } };

  enter() {
    this.load(async (signal) => {
      this.strategy = await get("api/v1/strategy", { signal });
      this.chosen = this.strategy.name;
    });
  }

  async save(event) {
    event.preventDefault();
    const { name, ...values } = Object.fromEntries(new FormData(event.target));
    const kind = this.strategy.available.find((one) => one.name === name);
    const parameters = Object.fromEntries(kind.parameters.filter((one) => values[one.name] !== one.defaultValue).map((one) => [one.name, values[one.name]]));
    const saved = await this.attempt(() => put("api/v1/strategy", { name, parameters }), `The pool now uses the strategy ${name}.`);
    if (saved) this.strategy = saved;
  }

  render() {
    if (this.error) return this.problem(() => this.enter());
    if (!this.strategy) return loading("Reading the strategy");
    const kind = this.strategy.available.find((one) => one.name === this.chosen);
    return html`<form class="card stack" @submit=${this.save}><div class="card-head"><h2>Scheduling strategy</h2><code>${this.strategy.text}</code></div>
      <fieldset class="stack"><legend class="visually-hidden">Strategy</legend>${this.strategy.available.map((one) => html`<label class="choice">
        <input type="radio" name="name" value=${one.name} .checked=${one.name === this.chosen} @change=${() => { this.chosen = one.name; }}>
        <span><strong>${one.name}</strong> <span class="quiet">${one.summary}</span></span></label>`)}</fieldset>
      ${kind.parameters.length ? html`<div class="grid narrow">${kind.parameters.map((one) => html`<label><span class="label">${one.name}</span>
        <input name=${one.name} .value=${(this.chosen === this.strategy.name && this.strategy.parameters[one.name]) || one.defaultValue} required aria-describedby="about-${one.name}">
        <span class="quiet small" id="about-${one.name}">${one.meaning}</span></label>`)}</div>` : nothing}
      <div><button class="primary" ?disabled=${this.busy}>Use it</button></div></form>`;
  }
}
customElements.define("imker-strategy", StrategyRules);

const RULES = [
  { name: "doneDays", title: "Keep successful jobs (days)" },
  { name: "failedDays", title: "Keep failed jobs (days)" },
  { name: "maxBytes", title: "Maximum size of all results (bytes)", none: "no limit" },
  { name: "auditDays", title: "Keep the audit log (days)" },
];

class RetentionRules extends View {
  static properties = { rules: { state: true }, report: { state: true } };

  enter() {
    this.load(async (signal) => { this.rules = (await get("api/v1/retention", { signal })).rules; });
  }

  async save(event) {
    event.preventDefault();
    const values = Object.fromEntries([...new FormData(event.target)].map(([name, value]) => [name, value === "" ? -1 : Number(value)]));
    const saved = await this.attempt(() => put("api/v1/retention", values), "The rules were saved.");
    if (saved) this.rules = saved.rules;
  }

  async run(dryRun) {
    if (!dryRun && !(await ask({ title: "Delete old work now?", text: "All jobs that the rules no longer keep are deleted with their results.", action: "Delete", danger: true }))) return;
    this.report = await this.attempt(() => post("api/v1/retention/run", { dryRun }));
  }

  render() {
    if (this.error) return this.problem(() => this.enter());
    if (!this.rules) return loading("Reading the rules");
    return html`<form class="card stack" @submit=${this.save}><div class="card-head"><h2>Retention</h2></div>
      <div class="grid narrow">${RULES.map((rule) => html`<label><span class="label">${rule.title}</span>
        <input name=${rule.name} type="number" min="0" placeholder=${rule.none ?? "for ever"} .value=${this.rules[rule.name] ?? ""}></label>`)}</div>
      <div class="row"><button class="primary">Save rules</button>
        <button type="button" @click=${() => this.run(true)}>Show what would be deleted</button><button type="button" class="danger" @click=${() => this.run(false)}>Delete now</button></div>
      ${this.report ? html`<p class="note" role="status">${this.report.dryRun ? "Would be deleted" : "Deleted"}: ${plural(this.report.jobCount, "job")} and ${plural(this.report.blobs, "file")}, ${bytes(this.report.bytes)}.</p>` : nothing}</form>`;
  }
}
customElements.define("imker-retention", RetentionRules);

/** What settings are called where people read them; one that is not here goes by its key. */
const TITLES = {
  "smtp.host": "Mail server", "smtp.port": "Port of the mail server", "smtp.tls": "Encryption of mail", "smtp.user": "Account at the mail server",
  "smtp.password": "Password at the mail server", "smtp.from": "Sender of mails", "notices.allow-private": "Web hooks to private addresses",
  "notices.retry-seconds": "Delay before a notice is retried (seconds)", "agents.max-slots": "Maximum slots per agent", "tasks.memory": "Default memory per task",
  "queue.most-ready": "Alarm above this many ready tasks", "queue.patience-seconds": "Alarm delay (seconds)", "queue.web-hook": "Web hook for the queue alarm",
  "http.requests-per-second": "Requests per second and account", "disk.reserve-mb": "Disk space kept free (MB)", "oidc.issuer": "Login provider (OpenID Connect)",
  "oidc.client-id": "Client id at the provider", "oidc.client-secret": "Client secret at the provider", "oidc.title": "Label of the login button",
  "oidc.scopes": "Scopes to request", "oidc.user-claim": "Claim with the user name", "oidc.groups-claim": "Claim with the groups",
  "oidc.admins": "Groups of admins", "oidc.users": "Groups of users", "oidc.viewers": "Groups of viewers", "oidc.login-hours": "Login duration (hours)",
  "server.url": "Address of this server",
};

const GROUPS = [
  { title: "Mail", of: ["smtp"] }, { title: "Notices", of: ["notices"] }, { title: "Queue", of: ["queue"] },
  { title: "Machines and tasks", of: ["agents", "tasks"] }, { title: "Server", of: ["server", "http", "disk"] }, { title: "Single sign-on", of: ["oidc"] },
];
const groupOf = (name) => GROUPS.find((group) => group.of.includes(name.split(".")[0]))?.title ?? "Other";

class Settings extends View {
  static properties = { settings: { state: true }, known: { state: true } };

  enter() {
    this.load(async (signal) => this.take(await get("api/v1/settings", { signal })));
  }

  take({ settings, known }) {
    [this.settings, this.known] = [settings, known];
  }

  async save(event) {
    event.preventDefault();
    const changed = Object.fromEntries([...new FormData(event.target)].filter(([name, value]) => value !== (this.settings[name] ?? "")));
    const saved = await this.attempt(() => put("api/v1/settings", changed), "The settings were saved.");
    if (saved) this.take(saved);
  }

  render() {
    if (this.error) return this.problem(() => this.enter());
    if (!this.known) return loading("Reading settings");
    return html`<form class="card stack" @submit=${this.save}><div class="card-head"><h2>Settings</h2></div>
      ${[...Map.groupBy(Object.keys(this.known), groupOf)].map(([title, names]) => html`<fieldset><legend><h3>${title}</h3></legend>
        <div class="grid settings">${names.map((name) => this.renderSetting(name))}</div></fieldset>`)}
      <div><button class="primary">Save settings</button></div></form>`;
  }

  renderSetting(name) {
    return html`<label><span class="label">${TITLES[name] ?? name}</span>
      <input name=${name} .value=${this.settings[name] ?? ""} autocomplete="off" placeholder="not set"><span class="quiet small">${this.known[name]} <code>${name}</code></span></label>`;
  }
}
customElements.define("imker-settings", Settings);
