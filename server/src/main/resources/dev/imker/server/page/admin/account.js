// What belongs to one person: the password and the secrets of tasks.
import { html } from "../lit.js";
import { get, path, put, remove } from "../api.js";
import { time } from "../format.js";
import { session } from "../session.js";
import { ask } from "../components/dialog.js";
import { toast } from "../components/toast.js";
import { View, empty, loading } from "../components/view.js";

class Password extends View {
  async save(event) {
    event.preventDefault();
    const form = event.target;
    const values = Object.fromEntries(new FormData(form));
    if (values.new !== values.again) {
      toast("The two new passwords do not match.", "error");
      return;
    }
    const saved = await this.attempt(async () => {
      const account = await put("api/v1/me/password", { old: values.old, new: values.new });
      // The server ends every session of the old password; this window goes on with a new one.
      await fetch("login", { method: "POST", body: new URLSearchParams({ user: session.me.user, password: values.new }) });
      return account;
    }, "Your password was changed. Other browsers have to log in again.");
    if (saved) form.reset();
  }

  render() {
    return html`<form class="card stack" @submit=${this.save}><div class="card-head"><h2>Change your password</h2></div>
      <div class="grid narrow">
        <label><span class="label">Current password</span><input name="old" type="password" autocomplete="current-password">
          <span class="quiet small">Leave empty if you have none yet.</span></label>
        <label><span class="label">New password</span><input name="new" type="password" autocomplete="new-password" required></label>
        <label><span class="label">Repeat new password</span><input name="again" type="password" autocomplete="new-password" required></label></div>
      <div><button class="primary" ?disabled=${this.busy}>Change it</button></div></form>`;
  }
}
customElements.define("imker-password", Password);

class Secrets extends View {
  static properties = { secrets: { state: true } };

  enter() {
    this.read();
  }

  read() {
    return this.load(async (signal) => { this.secrets = (await get("api/v1/secrets", { signal })).secrets; });
  }

  async add() {
    const answer = await ask({
      title: "Set a secret", action: "Set it", text: "Your tasks get it by its name; nobody can read it here again. A secret of the same name is replaced.",
      fields: html`<label><span class="label">Name</span><input name="name" required autocomplete="off"></label>
        <label><span class="label">Value</span><input name="value" type="password" required autocomplete="off"></label>`,
    });
    if (!answer) return;
    await this.attempt(() => put(path`api/v1/secrets/${answer.name}`, { value: answer.value }), `${answer.name} was set.`);
    this.read();
  }

  async drop(name) {
    if (!(await ask({ title: `Remove ${name}?`, text: "Tasks that ask for it no longer start.", action: "Remove it", danger: true }))) return;
    await this.attempt(() => remove(path`api/v1/secrets/${name}`), `${name} was removed.`);
    this.read();
  }

  render() {
    if (this.error) return this.problem(() => this.read());
    if (!this.secrets) return loading("Reading the names of secrets");
    return html`<section class="card flush"><header><h2>My secrets</h2><button class="primary small" @click=${() => this.add()}>Set a secret</button></header>
      ${this.secrets.length ? html`<div class="table-box"><table><thead><tr><th scope="col">Name</th><th scope="col">Set</th><th scope="col"><span class="visually-hidden">Actions</span></th></tr></thead>
        <tbody>${this.secrets.map((secret) => html`<tr><td class="name">${secret.name}</td><td>${time(secret.set)}</td>
          <td class="tight"><button class="small danger" aria-label="Remove ${secret.name}" @click=${() => this.drop(secret.name)}>Remove</button></td></tr>`)}</tbody></table></div>`
        : empty("No secrets", "Passwords and keys that your tasks need are kept here, encrypted; a job file names them under secrets.")}</section>`;
  }
}
customElements.define("imker-secrets", Secrets);
