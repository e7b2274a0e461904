import { html } from "./lit.js";

/** The part of the address that says what somebody wanted to see; a browser keeps it over a redirect. */
const target = () => `/login${window.location.hash}`;

/** What somebody sees who is not logged in. */
export const login = () => html`<main class="login">
  <img src="/icon.svg" alt="" width="48" height="48">
  <h1>Log in to the pool</h1>
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
