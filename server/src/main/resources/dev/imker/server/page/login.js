import { html, nothing, LitElement } from "./lit.js";

/** A button for the login elsewhere, where the pool has one. */
class LoginElsewhere extends LitElement {
  static properties = { name: { state: true } };

  createRenderRoot() {
    return this;
  }

  async connectedCallback() {
    super.connectedCallback();
    const answer = await fetch("api/v1/login/oidc");
    const provider = answer.ok ? await answer.json() : {};
    if (provider.configured) this.name = provider.title;
  }

  render() {
    return this.name
      ? html`<p><a class="button primary" href="login/oidc">Log in with ${this.name}</a></p><hr>`
      : nothing;
  }
}

customElements.define("login-elsewhere", LoginElsewhere);

/** The part of the address that says what somebody wanted to see; a browser keeps it over a redirect. */
const target = () => `login${window.location.hash}`;

/** What somebody sees who is not logged in. */
export const login = () => html`<main class="login">
  <img src="icon.svg" alt="" width="48" height="48">
  <h1>Log in to the pool</h1>
  <login-elsewhere></login-elsewhere>
  <form action=${target()} method="post">
    <label><span class="label">User</span><input name="user" autocomplete="username" required></label>
    <label><span class="label">Password</span><input name="password" type="password" autocomplete="current-password" required></label>
    <button class="primary">Log in</button>
  </form>
  <hr>
  <p class="quiet">Or open the login link that <code>imker up</code> printed at its start;
    <code>imker login --link</code> prints another one. Or enter a token:</p>
  <form action=${target()} method="post">
    <label><span class="label">Token</span><input name="token" type="password" autocomplete="off" required></label>
    <button>Log in with the token</button>
  </form>
</main>`;
