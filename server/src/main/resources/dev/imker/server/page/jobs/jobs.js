// Jobs: all of them, by pages; filters are in the address, so a filtered list can be saved.
import { html, nothing, repeat } from "../lit.js";
import { get, query as search } from "../api.js";
import { ago, duration, number, plural, time, words } from "../format.js";
import { follow } from "../live.js";
import { href, setQuery } from "../router.js";
import { isAdmin, mayWork } from "../session.js";
import { chip, failedOf, stateBar } from "../components/status.js";
import { pager } from "../components/pager.js";
import { View, empty, loading } from "../components/view.js";
import { bulkBar } from "./bulk.js";
import { COLUMNS } from "./columns.js";
import { filling, rows, span, together } from "./groups.js";

const PAGE = 50;
const MORE = 500;
const MAX_READS = 6;
const STATUSES = ["", "WAITING", "QUEUED", "RUNNING", "BLOCKED", "DONE", "FAILED", "CANCELLED"];
const FILTERS = ["name", "status", "project", "user"];

class Jobs extends View {
  static properties = {
    query: { attribute: false }, jobs: { state: true }, next: { state: true }, fresh: { state: true },
    chosen: { state: true }, everything: { state: true }, unfolded: { state: true },
  };

  constructor() {
    super();
    this.query = {};
    this.chosen = new Set();
    this.unfolded = new Set();
    this.fresh = new Set();
  }

  enter() {
    this.onLeave(follow("api/v1/events?nodes=none", { job: (all) => this.heard(all) }, { again: () => this.read() }));
  }

  willUpdate(changed) {
    if (changed.has("query") && JSON.stringify(this.query) !== this.known) {
      const before = this.known && JSON.parse(this.known);
      this.known = JSON.stringify(this.query);
      const moved = !before || [...FILTERS, "before", "sort"].some((name) => before[name] !== this.query[name]);
      if (moved) this.read();
    }
  }

  filter() {
    const name = this.query.name ?? "";
    return {
      limit: PAGE, ...this.place(), status: this.query.status, project: this.query.project,
      user: this.query.user, name: !name || /[*?]/.test(name) ? name : `*${name}*`,
    };
  }

  /** Where a page begins, in the order it is in. */
  place() {
    return this.query.sort ? { sort: this.query.sort, cursor: this.query.before } : { before: this.query.before };
  }

  async read() {
    const page = await this.newest((signal) => this.pageOfRows(signal));
    if (!page) return;
    this.jobs = page.jobs;
    this.next = this.query.sort ? page.cursor : page.next;
    this.fresh = new Set();
    this.chosen = new Set();
    this.everything = false;
  }

  /** As jobs that belong together are one row, further ones are asked for. */
  async pageOfRows(signal) {
    const first = await get(`api/v1/jobs${search(this.filter())}`, { signal });
    first.jobs = await this.withNumbered(first.jobs, signal);
    if (this.query.sort) return first;
    let { jobs, next } = first;
    for (let reads = 1; next && rows(jobs).length < PAGE && reads < MAX_READS; reads++) {
      const more = await get(`api/v1/jobs${search({ ...this.filter(), before: next, limit: MORE })}`, { signal });
      jobs = [...jobs, ...more.jobs];
      next = more.next;
    }
    const shown = filling(jobs, PAGE);
    return { jobs: shown, next: shown.length < jobs.length ? shown.at(-1).id : next };
  }

  /** A number is looked for among names, and is also that of a job. */
  async withNumbered(jobs, signal) {
    const wanted = this.query.name ?? "";
    if (!/^\d+$/.test(wanted) || this.query.before || jobs.some((job) => String(job.id) === wanted)) return jobs;
    try {
      const job = await get(`api/v1/jobs/${wanted}`, { signal });
      return this.fits(job) ? [job, ...jobs] : jobs;
    } catch (error) {
      if (error.name === "AbortError") throw error;
      return jobs;
    }
  }

  fits(job) {
    return (!this.query.status || job.status === this.query.status)
      && (!this.query.project || job.project === this.query.project)
      && (!this.query.user || job.user === this.query.user);
  }

  /** Changes of jobs on the screen are shown at once; new ones only where they belong, elsewhere they are told of. */
  heard(all) {
    if (!this.jobs) return;
    const newest = new Map(all.map((job) => [job.id, job]));
    const known = new Set(this.jobs.map((job) => job.id));
    this.jobs = this.jobs.map((job) => newest.get(job.id) ?? job).filter((job) => this.fits(job));
    const shown = new Set(this.jobs.map((job) => job.id));
    if ([...this.chosen].some((id) => !shown.has(id))) this.chosen = new Set([...this.chosen].filter((id) => shown.has(id)));
    const added = [...newest.values()].filter((job) => !known.has(job.id) && this.fits(job) && this.belongs(job));
    const plain = !this.query.before && !this.query.sort && FILTERS.every((name) => !this.query[name]);
    if (!added.length) return;
    if (!plain) {
      this.fresh = new Set([...this.fresh, ...added.map((job) => job.id)]);
      return;
    }
    const present = [...added.sort((a, b) => b.id - a.id), ...this.jobs];
    this.jobs = filling(present, PAGE);
    if (this.jobs.length < present.length) this.next = this.jobs.at(-1).id;
  }

  /** Whether a job that is not shown could be, once the list is read again: a new one, or one that has come to have the status asked for. */
  belongs({ id }) {
    const ids = this.jobs.map((job) => job.id);
    const { status, sort, before } = this.query;
    if (!status || sort) return id > Math.max(0, ...ids);
    return (!before || id < before) && (!this.next || id > Math.min(...ids));
  }

  setFilter(event) {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(event.target.form ?? event.target));
    setQuery({ ...values, before: "" });
  }

  choose(jobs, on) {
    const chosen = new Set(this.chosen);
    for (const job of jobs) {
      if (on) chosen.add(job.id);
      else chosen.delete(job.id);
    }
    this.chosen = chosen;
    this.everything = false;
  }

  unfold(group) {
    const unfolded = new Set(this.unfolded);
    if (!unfolded.delete(group)) unfolded.add(group);
    this.unfolded = unfolded;
  }

  renderFilters() {
    const value = (name) => this.query[name] ?? "";
    return html`<form class="filters" role="search" aria-label="Filter jobs" @submit=${this.setFilter}>
      <label class="wide"><span class="label">Name or number</span>
        <input type="search" name="name" placeholder="part of it; * matches anything" .value=${value("name")}></label>
      <label><span class="label">Status</span><select name="status" @change=${this.setFilter}>
        ${STATUSES.map((status) => html`<option value=${status} ?selected=${value("status") === status}>${status ? words(status) : "any"}</option>`)}</select></label>
      <label><span class="label">Project</span><input name="project" .value=${value("project")}></label>
      ${isAdmin() ? html`<label><span class="label">User</span><input name="user" .value=${value("user")}></label>` : nothing}
      <button>Filter</button>
      ${FILTERS.some((name) => value(name)) ? html`<a class="button" href="#/jobs">Clear</a>` : nothing}
    </form>`;
  }

  renderHead(column) {
    const present = this.query.sort ?? "";
    const up = present === column.name;
    const down = present === `-${column.name}`;
    return html`<th scope="col" class=${column.kind ?? ""} aria-sort=${up ? "ascending" : down ? "descending" : "none"}>
      <button title=${column.newest ? "Sort the newest 10,000 jobs" : "Sort all jobs"} @click=${() => setQuery({ before: "", sort: down ? column.name : up ? "" : `-${column.name}` })}>
        ${column.title}${up ? " ▲" : down ? " ▼" : ""}</button></th>`;
  }

  /** Of one job, or of several that belong together. */
  renderRow(jobs, inside = false) {
    const job = together(jobs);
    const ids = span(jobs);
    const several = jobs.length > 1;
    const chosen = jobs.every((one) => this.chosen.has(one.id));
    const failed = failedOf(job.counts);
    return html`<tr aria-selected=${chosen}>
      ${mayWork() ? html`<td class="tight"><input type="checkbox" aria-label=${several ? `Choose jobs ${ids}` : `Choose job ${ids}`} .checked=${chosen}
        @change=${(event) => this.choose(jobs, event.target.checked)}></td>` : nothing}
      <td class="tight">${inside ? "↳ " : ""}${ids}</td>
      <td class="name">${several ? this.renderFold(job, jobs.length) : html`<a href=${href("job", [job.id])}>${job.name}</a>`}</td>
      <td>${chip(job.status)}</td>
      <td class="optional course">${stateBar(job.counts, job.tasks, several ? `progress of jobs ${ids}` : `progress of job ${ids}`)}${several ? nothing : this.renderEnd(job)}</td>
      <td class="number">${number(job.counts.done)}<span class="quiet"> / ${number(job.tasks)}</span></td>
      <td class="number optional" title=${job.counts.skipped ? `and ${number(job.counts.skipped)} skipped` : nothing}>${number(failed)}</td>
      <td class="optional owner" title="${job.user} / ${job.project}">${job.user} / ${job.project}</td>
      <td class="number optional">${job.priority}</td>
      <td class="tight optional" title=${time(job.submitted)}>${ago(job.submitted)}</td>
    </tr>`;
  }

  renderEnd({ expectedEnd }) {
    if (!expectedEnd) return nothing;
    const left = new Date(expectedEnd.at) - Date.now();
    return html`<span class="quiet small" title="between ${time(expectedEnd.earliest)} and ${time(expectedEnd.latest)}">${left > 0 ? `about ${duration(left)} left` : "should end any moment"}</span>`;
  }

  order() {
    if (!this.query.sort) return this.query.before ? `older than job ${this.query.before}` : "newest first";
    return COLUMNS.find((one) => one.name === this.query.sort.replace("-", ""))?.newest ? "sorted, of the newest 10,000" : "sorted";
  }

  renderFold(job, count) {
    const open = this.unfolded.has(job.group);
    return html`<button class="small plain" aria-expanded=${open} title="The jobs of one program, or of one actor"
      @click=${() => this.unfold(job.group)}>${open ? "▾" : "▸"} ${job.name}</button> <span class="quiet">${plural(count, "job")}</span>`;
  }

  /** Sorted by a column, each job has its own place. */
  renderRows() {
    if (this.query.sort) return repeat(this.jobs, (job) => job.id, (job) => this.renderRow([job]));
    const all = rows(this.jobs).flatMap((jobs) => (jobs.length > 1 && this.unfolded.has(jobs[0].group)
      ? [{ jobs }, ...jobs.map((job) => ({ jobs: [job], inside: true }))] : [{ jobs }]));
    return repeat(all, (row) => (row.jobs.length > 1 ? row.jobs[0].group : row.jobs[0].id), (row) => this.renderRow(row.jobs, row.inside));
  }

  renderTable() {
    const { jobs } = this;
    const all = jobs.length > 0 && jobs.every((job) => this.chosen.has(job.id));
    return html`<div class="table-box"><table>
      <caption class="visually-hidden">Jobs${this.query.sort ? "" : ", newest first"}</caption>
      <thead><tr>
        ${mayWork() ? html`<th class="tight"><input type="checkbox" aria-label="Select all jobs on this page" .checked=${all}
          @change=${(event) => { this.chosen = new Set(event.target.checked ? jobs.map((job) => job.id) : []); this.everything = false; }}></th>` : nothing}
        ${COLUMNS.map((column) => this.renderHead(column))}</tr></thead>
      <tbody>${this.renderRows()}</tbody></table></div>
      ${pager(this.order(), { key: "before", from: this.query.before, next: this.next })}`;
  }

  renderEmpty() {
    return FILTERS.some((name) => this.query[name])
      ? empty("No job matches this filter", "Change it, or show all jobs.", html`<a class="button" href="#/jobs">All jobs</a>`)
      : empty("No jobs yet", html`What you submit appears here. From a terminal: <code>imker run --wait -- 'echo {1..10}'</code>`,
        mayWork() ? html`<a class="button primary" href="#/submit">Submit a job</a>` : nothing);
  }

  render() {
    return html`
      <div class="page-head"><h1>Jobs</h1>
        ${mayWork() ? html`<a class="button primary" href="#/submit">Submit a job</a>` : nothing}</div>
      ${this.renderFilters()}
      ${this.problem(() => this.read())}
      ${this.fresh.size ? html`<p class="note"><button class="small" @click=${() => this.read()}>Reload the list</button> There may be ${plural(this.fresh.size, "other job")} by now.</p>` : nothing}
      ${bulkBar(this)}
      <section class="card flush" aria-label="List of jobs">
        ${!this.jobs ? loading("Reading jobs") : this.jobs.length ? this.renderTable() : this.renderEmpty()}</section>`;
  }
}
customElements.define("imker-jobs", Jobs);
