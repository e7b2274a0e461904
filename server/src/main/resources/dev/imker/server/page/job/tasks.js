// The tasks of a job, a page at a time, whatever their number.
import { html, nothing, repeat } from "../lit.js";
import { get, query as search } from "../api.js";
import { duration, number, plural, words } from "../format.js";
import { hrefWith, setQuery } from "../router.js";
import { chip, stateOf } from "../components/status.js";
import { pager } from "../components/pager.js";
import { View, empty, loading } from "../components/view.js";
import "./task.js";

const PAGE = 50;
const STATES = ["", "WAITING", "READY", "RUNNING", "DONE", "failed", "skipped", "BLOCKED", "CANCELLED"];
/** What is searched for besides the state: by these, nothing is sorted. */
const SEARCHED = ["param", "node", "exit", "text"];

/** Failed and skipped are one state to the server, told apart by whether the task ran. */
function stateFilter(state, sorted) {
  if (state === "failed") return { state: "FAILED,AUTO_BLOCKED", ran: sorted ? "" : "true" };
  return state === "skipped" ? { state: "FAILED", ran: "false" } : { state };
}
const ORDERS = { "": "number", "-number": "last number first", state: "state", "-duration": "longest first", duration: "shortest first", "-attempts": "most attempts first", attempts: "fewest attempts first", started: "start", "-started": "last started first", ended: "end", "-ended": "last ended first" };

class Tasks extends View {
  static properties = {
    job: { attribute: false }, query: { attribute: false }, version: {}, tasks: { state: true }, next: { state: true },
  };

  willUpdate(changed) {
    const wanted = JSON.stringify([this.job.id, this.query.state, this.query.number, this.query.order, ...SEARCHED.map((name) => this.query[name])]);
    if (wanted !== this.wanted || changed.has("version")) {
      this.wanted = wanted;
      this.read();
    }
  }

  searches() {
    return SEARCHED.some((name) => this.query[name]);
  }

  order() {
    return this.searches() || this.query.state === "skipped" ? "" : this.query.order;
  }

  async read() {
    if (this.reading) {
      this.stale = true;
      return;
    }
    this.reading = true;
    const page = await this.load((signal) => get(`api/v1/jobs/${this.job.id}/tasks${search({
      limit: PAGE, ...stateFilter(this.query.state, this.order()), from: this.query.number, sort: this.order(),
      ...Object.fromEntries(SEARCHED.map((name) => [name, this.query[name]])),
    })}`, { signal }));
    this.reading = false;
    if (page) {
      this.tasks = page.tasks;
      this.next = page.next;
    }
    if (this.stale) {
      this.stale = false;
      this.read();
    }
  }

  /** A task far down the list opens above it, where it may be out of sight. */
  updated() {
    if (this.query.task === this.opened) return;
    this.opened = this.query.task;
    if (this.opened) this.querySelector("imker-task")?.scrollIntoView({ block: "nearest" });
  }

  renderFilters() {
    const jump = (event) => {
      event.preventDefault();
      setQuery({ number: new FormData(event.target).get("number") });
    };
    return html`<div class="filters">
      <label><span class="label">State</span><select name="state" @change=${(event) => setQuery({ state: event.target.value, number: "" })}>
        ${STATES.map((state) => html`<option value=${state} ?selected=${(this.query.state ?? "") === state}>${state ? words(state) : "any"}</option>`)}</select></label>
      <label><span class="label">Order</span><select name="order" ?disabled=${this.searches()} @change=${(event) => setQuery({ order: event.target.value, number: "" })}>
        ${Object.entries(ORDERS).map(([order, words]) => html`<option value=${order} ?selected=${(this.query.order ?? "") === order}>${words}</option>`)}</select></label>
      <form class="row end" @submit=${jump}><label><span class="label">${this.query.order ? "From place" : "From task"}</span>
        <input name="number" type="number" min="1" max=${this.job.tasks} .value=${this.query.number ?? ""} placeholder="1"></label><button>Go</button></form>
    </div>${this.renderSearch()}`;
  }

  renderSearch() {
    const search = (event) => {
      event.preventDefault();
      setQuery({ ...Object.fromEntries(new FormData(event.target)), number: "", task: "" });
    };
    const value = (name) => this.query[name] ?? "";
    return html`<form class="filters" role="search" aria-label="Search tasks" @submit=${search}>
      <label><span class="label">Parameters</span><input name="param" placeholder="n=3, size=lar*" .value=${value("param")}></label>
      <label><span class="label">Node</span><input name="node" placeholder="* matches anything" .value=${value("node")}></label>
      <label class="short"><span class="label">Exit code</span><input name="exit" type="number" min="-255" max="255" .value=${value("exit")}></label>
      <label><span class="label">Text in the output</span><input name="text" .value=${value("text")}></label>
      <button>Search</button>
      ${this.searches() ? html`<a class="button" href=${hrefWith({ param: "", node: "", exit: "", text: "", number: "" })}>Clear</a>` : nothing}</form>`;
  }

  /** The head of a column that the server sorts by. */
  renderHead(title, key, kind = "") {
    const order = this.query.order || "number";
    const mark = order === key ? " ▲" : order === `-${key}` ? " ▼" : "";
    const next = order === key ? `-${key}` : key;
    return html`<th scope="col" class=${kind} aria-sort=${mark === " ▲" ? "ascending" : mark ? "descending" : "none"}>
      <button @click=${() => setQuery({ order: next === "number" ? "" : next, number: "" })}>${title}${mark}</button></th>`;
  }

  runTime(task) {
    if (!task.started) return "–";
    return duration((task.ended ? new Date(task.ended) : Date.now()) - new Date(task.started));
  }

  renderRow(task) {
    const open = String(task.number) === this.query.task;
    const params = Object.entries(task.params).map(([name, value]) => `${name}=${value}`).join("  ");
    return html`<tr aria-selected=${open}>
      <td class="tight"><a href=${hrefWith({ task: open ? "" : task.number })} aria-label="Task ${task.number}">${task.number}</a></td>
      <td>${chip(stateOf(task))}</td>
      ${this.staged ? html`<td class="optional">${task.stage}</td>` : nothing}
      <td class="name"><code>${params}</code></td>
      <td class="optional">${task.node ?? "–"}</td>
      <td class="number">${this.runTime(task)}</td>
      <td class="number optional">${task.exitCode ?? "–"}</td>
      <td class="number optional">${number(task.attempts)}</td>
      <td class="optional quiet small">${task.error}</td></tr>`;
  }

  /** Without a filter, or in an order, all pages are of one size. */
  before() {
    const from = Number(this.query.number);
    return this.searches() || (this.query.state && !this.query.order) ? undefined : from - PAGE > 1 ? from - PAGE : "";
  }

  renderTable() {
    this.staged = this.tasks.some((task) => task.stage);
    return html`<section class="card flush" aria-label="List of tasks"><div class="table-box"><table>
      <thead><tr>${this.renderHead("Task", "number")}${this.renderHead("State", "state")}${this.staged ? html`<th scope="col" class="optional">Stage</th>` : nothing}
        <th scope="col">Parameters</th><th scope="col" class="optional">Node</th>${this.renderHead("Run time", "duration", "number")}
        <th scope="col" class="number optional">Exit code</th>${this.renderHead("Attempts", "attempts", "number optional")}<th scope="col" class="optional">Note</th></tr></thead>
      <tbody>${repeat(this.tasks, (task) => task.number, (task) => this.renderRow(task))}</tbody></table></div>
      ${pager(this.searches() && this.next ? "Next goes on searching" : `${plural(this.job.tasks, "task")} in all`, { key: "number", from: this.query.number, next: this.next, before: this.before() })}</section>`;
  }

  render() {
    return html`<div class="stack">
      ${this.renderFilters()}${this.problem(() => this.read())}
      ${this.query.task ? html`<imker-task .id=${`${this.job.id}.${this.query.task}`} .version=${this.version}></imker-task>` : nothing}
      ${!this.tasks ? loading("Reading tasks") : this.tasks.length ? this.renderTable()
        : this.renderNothing()}</div>`;
  }

  /** A search takes a bounded time and may not be over. */
  renderNothing() {
    return html`<section class="card">${!this.searches() ? empty("No task is in this state", "Choose another state above.")
      : this.next ? empty(`Nothing among tasks up to ${number(this.next - 1)}`, "There are more tasks.", html`<a class="button primary" href=${hrefWith({ number: this.next })}>Search on</a>`)
        : empty("No task fits", "Change what you search for, or clear it.")}</section>`;
  }
}
customElements.define("imker-tasks", Tasks);
