// Accounts: who may use the pool, and how much of it.
import { html, nothing } from "../lit.js";
import { get, path, post, put, remove } from "../api.js";
import { bytes, number, time } from "../format.js";
import { session } from "../session.js";
import { ask } from "../components/dialog.js";
import { View, loading } from "../components/view.js";

const ROLES = ["USER", "VIEWER", "ADMIN"];
const GIGABYTE = 2 ** 30;
const limit = (value) => (value == null || value === "" ? -1 : Number(value));

const roleField = (present) => html`<label><span class="label">Role</span><select name="role">${ROLES.map((role) =>
  html`<option value=${role} ?selected=${role === present}>${role.toLowerCase()}</option>`)}</select></label>`;

const quotaFields = (quota = {}) => html`<div class="grid narrow">
  <label><span class="label">Maximum slots</span><input name="slots" type="number" min="0" placeholder="no limit" .value=${quota.slots ?? ""}></label>
  <label><span class="label">Maximum open tasks</span><input name="tasks" type="number" min="0" placeholder="no limit" .value=${quota.tasks ?? ""}></label>
  <label><span class="label">Maximum storage (GB)</span><input name="storage" type="number" min="0" step="any" placeholder="no limit" .value=${quota.storageBytes == null ? "" : quota.storageBytes / GIGABYTE}></label></div>`;

const quotaOf = (answer) => ({
  slots: limit(answer.slots), tasks: limit(answer.tasks),
  storageBytes: answer.storage === "" ? -1 : Math.round(Number(answer.storage) * GIGABYTE),
});

class Users extends View {
  static properties = { users: { state: true } };

  enter() {
    this.read();
  }

  read() {
    return this.load(async (signal) => { this.users = (await get("api/v1/users", { signal })).users; });
  }

  async add() {
    const answer = await ask({
      title: "Add a user", action: "Add",
      fields: html`<label><span class="label">Name</span><input name="user" required autocomplete="off"></label>${roleField("USER")}
        <label><span class="label">Password</span><input name="password" type="password" autocomplete="new-password" placeholder="none: tokens only"></label>${quotaFields()}`,
    });
    if (!answer) return;
    const body = { user: answer.user, role: answer.role, quota: quotaOf(answer) };
    if (answer.password) body.password = answer.password;
    await this.attempt(() => post("api/v1/users", body), `${answer.user} was added.`);
    this.read();
  }

  async edit(user) {
    const answer = await ask({
      title: `Change ${user.user}`, action: "Change",
      fields: html`${user.user === session.me.user ? nothing : roleField(user.role)}
        <label><span class="label">New password</span><input name="password" type="password" autocomplete="new-password" placeholder="unchanged"></label>${quotaFields(user.quota)}
        ${user.user === session.me.user ? nothing : html`<label class="check"><input type="checkbox" name="disabled" ?checked=${user.disabled}> Login disabled</label>`}`,
    });
    if (!answer) return;
    const body = { quota: quotaOf(answer) };
    if (answer.role) Object.assign(body, { role: answer.role, disabled: answer.disabled === "on" });
    if (answer.password) body.password = answer.password;
    await this.attempt(() => put(path`api/v1/users/${user.user}`, body), `${user.user} was changed.`);
    this.read();
  }

  async drop(user) {
    const sure = await ask({ title: `Remove ${user.user}?`, text: "The account and its tokens are removed; its jobs and results stay.", action: "Remove", danger: true });
    if (!sure) return;
    await this.attempt(() => remove(path`api/v1/users/${user.user}`), `${user.user} was removed.`);
    this.read();
  }

  renderRow(user) {
    const { quota } = user;
    const limits = [quota.slots == null ? "" : `${number(quota.slots)} slots`, quota.tasks == null ? "" : `${number(quota.tasks)} tasks`,
      quota.storageBytes == null ? "" : bytes(quota.storageBytes)].filter(Boolean).join(", ");
    return html`<tr><td class="name">${user.user}</td><td>${user.role.toLowerCase()}${user.disabled ? html` <span class="chip away">login disabled</span>` : nothing}</td>
      <td>${limits || "none"}</td><td class="number optional">${bytes(user.storageBytes)}</td><td class="optional">${time(user.created)}</td>
      <td class="tight"><button class="small" aria-label="Change ${user.user}" @click=${() => this.edit(user)}>Change</button>
        ${user.user === session.me.user ? nothing : html`<button class="small danger" aria-label="Remove ${user.user}" @click=${() => this.drop(user)}>Remove</button>`}</td></tr>`;
  }

  render() {
    if (this.error) return this.problem(() => this.read());
    if (!this.users) return loading("Reading users");
    return html`<section class="card flush"><header><h2>${number(this.users.length)} ${this.users.length === 1 ? "account" : "accounts"}</h2>
      <button class="primary small" @click=${() => this.add()}>Add a user</button></header>
      <div class="table-box"><table><thead><tr><th scope="col">User</th><th scope="col">Role</th><th scope="col">Limits</th><th scope="col" class="number optional">Stored</th>
        <th scope="col" class="optional">Since</th><th scope="col"><span class="visually-hidden">Actions</span></th></tr></thead>
        <tbody>${this.users.map((user) => this.renderRow(user))}</tbody></table></div></section>`;
  }
}
customElements.define("imker-users", Users);
