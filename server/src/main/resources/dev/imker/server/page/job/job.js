// One job: how far it is, its tasks, its graph, where it ran, what came out.
import { html, nothing } from "../lit.js";
import { get } from "../api.js";
import { ago, commandLine, duration, inLocalTime, number, percent, plural, time, words as worded } from "../format.js";
import { follow } from "../live.js";
import { href } from "../router.js";
import { mayWork } from "../session.js";
import { chip, isSettled, legend, stateBar } from "../components/status.js";
import { hideProgress, showProgress } from "../components/notify.js";
import { tabs } from "../components/tabs.js";
import { View, loading, missing } from "../components/view.js";
import { jobActions } from "./actions.js";
import { Estimate } from "./estimate.js";
import "./tasks.js";

const FAILURES = { name: "failures", title: "Failures", load: () => import("./failures.js"), render: (page) => html`<imker-failures .job=${page.view} .query=${page.query} .version=${page.version}></imker-failures>` };
const TABS = [
  { name: "tasks", title: "Tasks", render: (page) => html`<imker-tasks .job=${page.view} .query=${page.query} .version=${page.version}></imker-tasks>` },
  { name: "graph", title: "Graph", load: () => import("./graph.js"), render: (page) => html`<imker-job-graph .job=${page.view} .version=${page.version}></imker-job-graph>` },
  { name: "timeline", title: "Timeline", load: () => import("./timeline.js"), render: (page) => html`<imker-timeline .job=${page.view} .version=${page.version}></imker-timeline>` },
  { name: "results", title: "Results", load: () => import("./results.js"), render: (page) => html`<imker-results .job=${page.view} .query=${page.query} .version=${page.version}></imker-results>` },
  { name: "metrics", title: "Metrics", load: () => import("./metrics.js"), render: (page) => html`<imker-metrics .job=${page.view} .query=${page.query} .version=${page.version}></imker-metrics>` },
  { name: "history", title: "History", load: () => import("./history.js"), render: (page) => html`<imker-history .job=${page.view} .version=${page.version}></imker-history>` },
  { name: "definition", title: "Definition", load: () => import("./definition.js"), render: (page) => html`<imker-definition .job=${page.view}></imker-definition>` },
];
const REFRESH_MILLIS = 1000;
const WHY_MILLIS = 10000;

class Job extends View {
  static properties = {
    job: {}, query: { attribute: false }, view: { state: true }, version: { state: true }, why: { state: true }, loaded: { state: true },
  };

  constructor() {
    super();
    this.query = {};
    this.version = 0;
    this.loaded = new Set(["tasks"]);
  }

  willUpdate(changed) {
    if (changed.has("job")) this.watch();
    if (changed.has("query") || changed.has("view")) this.openTab();
  }

  /** Failures come first where there are some, and a failed job opens on them. */
  tabs() {
    const { failed = 0, autoBlocked = 0 } = this.view?.counts ?? {};
    return failed + autoBlocked > 0 || this.query.tab === FAILURES.name ? [FAILURES, ...TABS] : TABS;
  }

  tab() {
    const all = this.tabs();
    const { tab, ...other } = this.query;
    const plain = Object.keys(other).length === 0;
    return all.find((one) => one.name === tab) ?? (plain && this.view?.status === "FAILED" ? all[0] : TABS[0]);
  }

  async openTab() {
    const tab = this.tab();
    if (this.loaded.has(tab.name)) return;
    await tab.load();
    this.loaded = new Set([...this.loaded, tab.name]);
  }

  async watch() {
    this.unfollow?.();
    this.view = undefined;
    this.estimate = new Estimate();
    this.why = undefined;
    this.whyAt = 0;
    const id = this.job;
    const view = await this.load((signal) => get(`api/v1/jobs/${encodeURIComponent(id)}`, { signal }));
    if (!view || id !== this.job) return;
    this.take(view);
    this.refollow();
  }

  /** Also after an order that may have woken up a job that was finished. */
  refollow() {
    this.unfollow?.();
    this.unfollow = follow(`api/v1/events?job=${this.view.id}`, { job: (all) => this.take(all.at(-1)) },
      { ended: () => isSettled(this.view.status) });
  }

  disconnectedCallback() {
    this.unfollow?.();
    clearTimeout(this.timer);
    hideProgress();
    super.disconnectedCallback();
  }

  take(view) {
    this.view = view;
    this.estimate.see(view);
    showProgress(view);
    this.readWhy();
    // The parts below read from the server again; that often is enough for eyes.
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.version++;
    }, REFRESH_MILLIS);
  }

  /** Why nothing of a job runs that could, as its first task explains. */
  async readWhy() {
    const { id, counts, status } = this.view;
    if (isSettled(status) || counts.running || counts.done || counts.ready + counts.waiting === 0) {
      this.why = undefined;
      return;
    }
    if (Date.now() - this.whyAt < WHY_MILLIS) return;
    this.whyAt = Date.now();
    const { text, reason, state } = await get(`api/v1/tasks/${id}.1/explain`, { signal: this.aborter.signal }).catch(() => ({}));
    if (id !== this.view?.id) return;
    const [, first, second] = (text ?? "").split("\n");
    this.why = !first || !["READY", "WAITING"].includes(state) ? undefined
      : inLocalTime(reason === "NO_NODE_FITS" && second ? `${first} ${second.trim()}.` : first.replace(/:$/, "."));
  }

  /** Somebody may have gone elsewhere before the answer came. */
  ordered(view) {
    if (!this.isConnected || view.id !== this.view?.id) return;
    this.take(view);
    this.refollow();
  }

  renderProgress() {
    const { counts, tasks, submitted, settled, status, progress, expectedEnd } = this.view;
    const until = (moment) => duration(Math.max(0, new Date(moment) - Date.now()));
    const left = this.estimate.leftMillis(this.view);
    const words = isSettled(status)
      ? `${worded(status)} after ${duration(new Date(settled) - new Date(submitted))}`
      : expectedEnd ? new Date(expectedEnd.at) <= Date.now() ? "should end any moment" : `about ${until(expectedEnd.at)} left (${until(expectedEnd.earliest)} to ${until(expectedEnd.latest)})`
      : status === "QUEUED" && !counts.done ? "not started yet" : left == null ? "no estimate yet" : `about ${duration(left)} left`;
    return html`<section class="card" aria-labelledby="progress-title">
      <header><h2 id="progress-title">${number(counts.done)} of ${plural(tasks, "task")} done</h2><span class="quiet">${words}</span></header>
      <div class="stack">${stateBar(counts, tasks, "progress of the job", true)}${legend(counts)}
      ${this.why ? html`<p class="why">${this.why} <a href=${href("job", [this.view.id], { tab: "tasks", task: 1 })}>More</a></p>` : nothing}
      ${progress ? html`<p class="quiet">Counting what running tasks report: ${percent(progress.fraction)}${progress.text ? html` (latest: ${progress.text})` : nothing}</p>` : nothing}</div></section>`;
  }

  renderFacts() {
    const view = this.view;
    return html`<section class="card" aria-label="About the job"><dl class="facts">
      <dt>Project</dt><dd><a href=${href("jobs", [], { project: view.project })}>${view.user} / ${view.project}</a></dd>
      <dt>Submitted</dt><dd title=${time(view.submitted)}>${ago(view.submitted)}</dd>
      <dt>Priority</dt><dd>${view.priority}</dd>
      ${view.phase !== "RUNNING" ? html`<dt>Phase</dt><dd>${view.phase.toLowerCase()}</dd>` : nothing}
      <dt>Command</dt><dd><code class="command" tabindex="0">${commandLine(view.command) || "–"}</code></dd></dl></section>`;
  }

  renderTabs() {
    const present = this.tab();
    return tabs(this, this.tabs(), present.name, this.loaded.has(present.name) ? present.render(this) : loading(), "Parts of the job");
  }

  render() {
    if (this.error?.status === 404) return missing(`job ${this.job}`, "jobs", "All jobs");
    if (this.error) return this.problem(() => this.watch());
    if (!this.view) return loading("Reading the job");
    return html`
      <div class="page-head"><h1>${this.view.name} <span class="quiet">#${this.view.id}</span></h1>
        ${chip(this.view.status)}
        ${mayWork() ? jobActions(this) : nothing}</div>
      <div class="grid wide-left">${this.renderProgress()}${this.renderFacts()}</div>
      <div class="stack">${this.renderTabs()}</div>`;
  }
}
customElements.define("imker-job", Job);
