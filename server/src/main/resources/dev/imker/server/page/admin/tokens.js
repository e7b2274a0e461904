// Tokens: what programs log in with.
import { html, nothing } from "../lit.js";
import { get, path, post, remove } from "../api.js";
import { time } from "../format.js";
import { ask } from "../components/dialog.js";
import { View, empty, loading } from "../components/view.js";

class Tokens extends View {
  static properties = { tokens: { state: true }, fresh: { state: true } };

  enter() {
    this.read();
  }

  read() {
    return this.load(async (signal) => { this.tokens = (await get("api/v1/tokens", { signal })).tokens; });
  }

  async add() {
    const answer = await ask({
      title: "New token", action: "Create",
      fields: html`<label><span class="label">What it is for</span><input name="title" required></label>
        <label><span class="label">Days until it expires</span><input name="days" type="number" min="1" placeholder="never"></label>`,
    });
    if (!answer) return;
    const body = answer.days ? { title: answer.title, days: Number(answer.days) } : { title: answer.title };
    this.fresh = await this.attempt(() => post("api/v1/tokens", body));
    this.read();
  }

  async drop(token) {
    const sure = await ask({ title: `Revoke ${token.title}?`, text: "Anyone using it loses access immediately.", action: "Revoke", danger: true });
    if (!sure) return;
    await this.attempt(() => remove(path`api/v1/tokens/${token.title}`), `${token.title} was revoked.`);
    this.read();
  }

  render() {
    if (this.error) return this.problem(() => this.read());
    if (!this.tokens) return loading("Reading tokens");
    return html`<div class="stack">
      ${this.fresh ? html`<div class="note stack" role="status"><p>This is the token <strong>${this.fresh.title}</strong>. It is shown only this once:</p>
        <code class="code-box">${this.fresh.token}</code></div>` : nothing}
      <section class="card flush"><header><h2>My tokens</h2><button class="primary small" @click=${() => this.add()}>New token</button></header>
      ${this.tokens.length ? html`<div class="table-box"><table><thead><tr><th scope="col">For</th><th scope="col">Created</th><th scope="col">Expires</th><th scope="col"><span class="visually-hidden">Actions</span></th></tr></thead>
        <tbody>${this.tokens.map((token) => html`<tr><td class="name">${token.title}</td><td>${time(token.created)}</td><td>${token.expired ? "expired" : token.expires ? time(token.expires) : "never"}</td>
          <td class="tight"><button class="small danger" aria-label="Revoke ${token.title}" @click=${() => this.drop(token)}>Revoke</button></td></tr>`)}</tbody></table></div>`
        : empty("No tokens", "Programs and the command line log in with a token; make one for each of them.")}</section></div>`;
  }
}
customElements.define("imker-tokens", Tokens);
