// Ctrl-K: pages, jobs, nodes and actions by a few letters.
import { html, nothing } from "../lit.js";
import { render } from "../lib/lit-html/lit-html.js";
import { get, path, query } from "../api.js";
import { words } from "../format.js";
import { href } from "../router.js";
import { isAdmin, mayWork } from "../session.js";
import { nextTheme } from "../theme.js";
import { showDialog } from "./dialog.js";

const PAUSE_MILLIS = 150;
const MOST_OF_A_KIND = 6;

function fixed(pages) {
  const all = pages.map((page) => ({ kind: "page", title: page.title, go: href(page.name) }));
  all.push({ kind: "page", title: "Docs", go: "docs" }, { kind: "page", title: "REST interface (API)", go: href("api") });
  if (mayWork()) {
    all.push({ kind: "action", title: "Submit a job", go: "#/submit" });
    all.push({ kind: "action", title: "Show failed jobs", go: href("jobs", [], { status: "FAILED" }) });
  }
  if (isAdmin()) {
    all.push({ kind: "action", title: "Add a machine", go: href("nodes", [], { add: "yes" }) });
    all.push({ kind: "action", title: "Change the strategy", go: href("admin", [], { tab: "strategy" }) });
  }
  all.push({ kind: "action", title: "Change my password", go: href("admin", [], { tab: "password" }) });
  all.push({ kind: "action", title: "Switch between light and dark", act: () => nextTheme() });
  all.push({ kind: "action", title: "Log out", act: () => document.querySelector("form[action='logout']").requestSubmit() });
  return all;
}

async function found(text, signal) {
  if (!text) return [];
  const [jobs, byNumber, nodes] = await Promise.all([
    get(`api/v1/jobs${query({ name: `*${text}*`, limit: MOST_OF_A_KIND })}`, { signal }),
    /^\d+$/.test(text) ? get(path`api/v1/jobs/${text}`, { signal }).catch(() => undefined) : undefined,
    get(`api/v1/figures/nodes${query({ name: text, limit: MOST_OF_A_KIND, offset: 0 })}`, { signal }),
  ]);
  const column = (name) => nodes.columns.indexOf(name);
  return [
    ...[byNumber, ...jobs.jobs].filter(Boolean).map((job) => ({ kind: "job", title: `${job.name} #${job.id}`, note: words(job.status), go: href("job", [String(job.id)]) })),
    ...nodes.rows.map((row) => ({ kind: "node", title: row[column("name")], note: row[column("state")], go: href("node", [row[column("id")]]) })),
  ];
}

/** Opens the palette, unless it is open. */
export function openPalette(pages) {
  if (document.querySelector("dialog.palette")) return;
  const dialog = document.createElement("dialog");
  dialog.className = "palette";
  dialog.setAttribute("aria-label", "Go to a page, job or node, or run a command");
  const always = fixed(pages);
  let shown = always;
  let chosen = 0;
  let failure = "";
  let timer = 0;
  let aborter = new AbortController();

  const matching = (text) => {
    const parts = text.toLowerCase().split(/\s+/).filter(Boolean);
    return always.filter((one) => parts.every((part) => one.title.toLowerCase().includes(part)));
  };

  function choose(one) {
    if (!one) return;
    dialog.close();
    if (one.act) one.act();
    else window.location.assign(one.go);
  }

  function type(event) {
    const text = event.target.value.trim();
    shown = matching(text);
    chosen = 0;
    draw();
    clearTimeout(timer);
    aborter.abort();
    aborter = new AbortController();
    timer = setTimeout(async () => {
      try {
        const more = await found(text, aborter.signal);
        shown = [...matching(text), ...more];
        failure = "";
      } catch (error) {
        if (error.name === "AbortError") return;
        failure = error.message;
      }
      draw();
    }, PAUSE_MILLIS);
  }

  function press(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      chosen = shown.length ? (chosen + step + shown.length) % shown.length : 0;
      draw();
      dialog.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") {
      event.preventDefault();
      choose(shown[chosen]);
    }
  }

  function draw() {
    render(html`<input role="combobox" aria-label="Search pages, jobs, nodes and actions" aria-expanded="true" aria-controls="palette-list"
        aria-activedescendant=${shown.length ? `palette-${chosen}` : nothing} autocomplete="off" placeholder="Page, job, node or action" @input=${type} @keydown=${press}>
      <ul role="listbox" id="palette-list" aria-label="Found">${shown.map((one, i) => html`<li role="option" id="palette-${i}" aria-selected=${i === chosen}
        @click=${() => choose(one)}><span class="grow">${one.title}</span><span class="quiet small">${one.kind}${one.note ? `, ${one.note}` : ""}</span></li>`)}</ul>
      ${shown.length ? nothing : html`<p class="quiet" role="status">No match.</p>`}
      ${failure ? html`<p class="quiet" role="alert">${failure}</p>` : nothing}`, dialog);
  }

  draw();
  showDialog(dialog, () => {
    clearTimeout(timer);
    aborter.abort();
  });
}
