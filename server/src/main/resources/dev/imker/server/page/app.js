// The frame around all pages: who is logged in, where we are, how to get elsewhere.
import { LitElement, html, nothing } from "./lit.js";
import { isReached, look, onLoginNeeded } from "./api.js";
import { connection, onConnection } from "./live.js";
import { href, location, onNavigation } from "./router.js";
import { isAdmin, mayWork, openSession, session } from "./session.js";
import { applyTheme, nextTheme, theme } from "./theme.js";
import { icon } from "./components/icons.js";
import { loading, problem } from "./components/view.js";
import { openPalette } from "./components/palette.js";
import { login } from "./login.js";
import { PAGES } from "./pages.js";

applyTheme();

const CONNECTIONS = {
  live: { word: "live", hint: "The page is up to date" },
  slow: { word: "waiting…", hint: "The server takes long to answer" },
  waiting: { word: "reconnecting…", hint: "The connection is tried again" },
};

class App extends LitElement {
  static properties = {
    state: { state: true }, where: { state: true }, live: { state: true }, menu: { state: true },
    failure: { state: true }, ready: { state: true },
  };

  constructor() {
    super();
    this.state = "opening";
    this.where = location();
    this.live = connection();
    this.menu = false;
    this.ready = new Set();
  }

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    onNavigation(() => this.navigate());
    onConnection((state) => {
      this.live = state;
      if (this.away && state === "live") window.location.reload(); // what could not be loaded is not tried again by all browsers
    });
    document.addEventListener("keydown", (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k" && this.state === "open") {
        event.preventDefault();
        openPalette(this.visiblePages());
      }
      if (event.key === "Escape" && this.menu && !document.querySelector("dialog[open]")) {
        this.menu = false;
        this.querySelector(".menu-button").focus();
      }
    });
    onLoginNeeded(() => { this.state = "login"; });
    // Fetched while the server is asked who this is; whether it can be had is seen in navigate().
    this.page()?.load().catch(() => {});
    this.open();
  }

  page() {
    return PAGES.find((one) => one.name === this.where.page);
  }

  async open() {
    try {
      this.failure = undefined;
      await openSession();
      this.state = "open";
      this.navigate(false);
    } catch (error) {
      if (this.state !== "login") this.failure = error;
    }
  }

  async navigate(moved = true) {
    const before = this.where.page;
    this.where = location();
    this.menu = false;
    const page = this.page();
    // Within a page, the title is the page's own matter.
    if (!moved || before !== this.where.page) document.title = [page?.title, session.pool?.name, "Imker"].filter(Boolean).join(" · ");
    if (!page || this.state !== "open") return;
    try {
      await page.load();
      this.failure = undefined;
      this.ready = new Set([...this.ready, page.name]);
    } catch {
      await look();
      if (page !== this.page()) return;
      this.away = !isReached();
      this.failure = new Error(this.away ? "The server does not answer. Is it running? This page will continue as soon as it does."
        : "This part of the page could not be loaded. The server may have been updated: reload the page.");
    }
    if (moved && before !== this.where.page) {
      await this.updateComplete;
      this.querySelector("main")?.focus();
      window.scrollTo(0, 0);
    }
  }

  visiblePages() {
    return PAGES.filter((page) => !page.hidden && (!page.admin || isAdmin()) && (!page.work || mayWork()));
  }

  renderTheme() {
    return html`<button class="plain" aria-label="Theme: ${theme()}. Change"
      title="Theme: ${theme()}" @click=${() => { nextTheme(); this.requestUpdate(); }}>
      ${icon(theme())}</button>`;
  }

  renderContent() {
    if (this.failure) return problem(this.failure, () => this.open());
    const page = this.page();
    if (!page) {
      return html`<div class="empty"><h1>There is nothing here</h1>
        <p>There is no page at this address.</p><a class="button" href="#/overview">To the overview</a></div>`;
    }
    return this.ready.has(page.name) ? page.render(this.where) : loading();
  }

  render() {
    if (this.state === "login") return login();
    return html`<div class="shell">
      <a class="button skip" href="#content" @click=${(event) => { event.preventDefault(); this.querySelector("main").focus(); }}>Skip to the content</a>
      <header class="topbar">
        <button class="plain menu-button" aria-label="Menu" aria-expanded=${this.menu} aria-controls="navigation"
          @click=${() => { this.menu = !this.menu; }}>${icon("menu")}</button>
        <a class="brand" href="#/overview"><img src="icon.svg" alt="" width="28" height="28">
          <span>${session.pool?.name ?? "Imker"}</span></a>
        <span class="grow"></span>
        <span class="connection ${this.live}" role="status" title=${CONNECTIONS[this.live].hint}>
          <span>${CONNECTIONS[this.live].word}</span></span>
        ${this.state === "open" ? html`<button class="plain" aria-label="Search everything" title="Search everything (Ctrl-K)" aria-keyshortcuts="Control+K"
          @click=${() => openPalette(this.visiblePages())}>${icon("search")}</button>` : nothing}
        ${this.renderTheme()}
        ${session.me ? html`<span class="who quiet small">${session.me.user}</span>
          <form action="logout" method="post" @submit=${() => localStorage.removeItem(`imker-draft-${session.me.user}`)}><button class="plain" aria-label="Log out ${session.me.user}" title="Log out">${icon("out")}</button></form>` : nothing}
      </header>
      <nav class="main ${this.menu ? "open" : ""}" id="navigation" aria-label="Pages">
        <ul>${this.visiblePages().map((page) => html`<li>
          <a href=${href(page.name)} aria-current=${this.where.page === page.name || page.also === this.where.page ? "page" : nothing}>
            ${icon(page.name)}${page.title}</a></li>`)}
          <li><a href="docs">${icon("docs")}Docs</a></li>
          <li><a href=${href("api")} aria-current=${this.where.page === "api" ? "page" : nothing}>${icon("api")}API</a></li></ul>
      </nav>
      <main class="content" id="content" tabindex="-1">${this.renderContent()}</main>
      <imker-toasts></imker-toasts>
    </div>`;
  }
}
customElements.define("imker-app", App);
