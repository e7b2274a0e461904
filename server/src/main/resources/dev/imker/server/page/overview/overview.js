// Overview: what the pool does now, who uses it, what needs somebody.
import { html, nothing, repeat } from "../lit.js";
import { get, path, post, query } from "../api.js";
import { bytes, compact, duration, number, percent, plural } from "../format.js";
import { follow } from "../live.js";
import { href } from "../router.js";
import { mayWork, session } from "../session.js";
import { View, empty, loading } from "../components/view.js";
import { rate, resourcePlot, throughputPlot, utilisationPlot } from "./throughput.js";
import { attentionList } from "./attention.js";
import "../components/plot.js";

const KEPT_BEATS = 900;
const USAGE_DAYS = 7;
const RANGES = [{ hours: 0, title: "half hour" }, { hours: 1, title: "hour" }, { hours: 24, title: "day" }, { hours: 168, title: "week" }, { hours: 744, title: "month" }];
/** The server adds to what it keeps every minute and a half. */
const SPANS_MILLIS = 100000;

class Overview extends View {
  static properties = {
    beats: { state: true }, uses: { state: true }, attention: { state: true }, usage: { state: true },
    others: { state: true }, jobs: { state: true }, range: { state: true }, spans: { state: true },
  };

  enter() {
    this.load(async (signal) => {
      const since = new Date(Date.now() - USAGE_DAYS * 86400000).toISOString().slice(0, 10);
      const [usage, jobs] = await Promise.all([
        get(`api/v1/usage${query({ by: "user", since })}`, { signal }),
        get("api/v1/jobs?limit=1", { signal }),
      ]);
      this.usage = usage.usage;
      this.jobs = jobs.jobs;
    });
    this.range ??= RANGES[0];
    const again = setInterval(() => this.readSpans(), SPANS_MILLIS);
    this.onLeave(() => clearInterval(again));
    this.onLeave(follow("api/v1/overview?follow=true", {
      overview: ([...all]) => this.take(all.at(-1), false),
      beat: (all) => all.forEach((one) => this.take(one, true)),
    }));
  }

  take(news, more) {
    this.beats = more ? [...(this.beats ?? []), ...news.beats].slice(-KEPT_BEATS) : news.beats;
    this.uses = news.uses;
    this.others = news.others;
    this.attention = news.attention;
  }

  renderFigures() {
    const last = this.beats.at(-1);
    const perSecond = rate(this.beats, "done");
    const failures = rate(this.beats, "failed");
    return html`<dl class="figures">
      <div><dt>Done</dt><dd>${perSecond < 10 ? perSecond.toFixed(1) : compact(Math.round(perSecond))} <small>per second</small></dd></div>
      <div><dt>Queue</dt><dd>${compact(last.queued)} <small>ready</small></dd></div>
      <div><dt>Waiting</dt><dd>${compact(last.waiting)} <small>for others</small></dd></div>
      <div><dt>Running</dt><dd>${compact(last.running)} <small>of ${number(last.slots)} slots</small></dd></div>
      <div><dt>Failures</dt><dd>${failures < 10 ? failures.toFixed(1) : compact(Math.round(failures))} <small>per second</small></dd></div>
      <div><dt>Machines in use</dt><dd>${last.slots ? percent(Math.min(1, last.running / last.slots)) : "–"} <small>${number(last.agents)} ${last.agents === 1 ? "agent" : "agents"}</small></dd></div>
    </dl>`;
  }

  async readSpans() {
    const { hours } = this.range;
    if (!hours || document.hidden) return;
    const answer = await this.load((signal) => get(`api/v1/figures/utilisation${query({ hours })}`, { signal }));
    if (answer && hours === this.range.hours) this.spans = answer.spans;
  }

  choose(hours) {
    this.range = RANGES.find((range) => range.hours === hours);
    this.spans = undefined;
    this.readSpans();
  }

  renderRange() {
    return html`<label class="row range"><span class="quiet small">Show the last</span><select aria-label="Range of the plots" @change=${(event) => this.choose(Number(event.target.value))}>
      ${RANGES.map((range) => html`<option value=${range.hours} ?selected=${range === this.range}>${range.title}</option>`)}</select></label>`;
  }

  renderPlot(make, what) {
    if (this.range.hours && !this.spans) return loading("Reading the figures");
    if (this.range.hours && !this.spans.length) return html`<p class="quiet">There are no figures of that time yet; the first come after two minutes.</p>`;
    return html`<imker-plot .make=${make} .data=${this.spans ?? this.beats} label="${what} over the last ${this.range.title}"></imker-plot>`;
  }

  renderResources() {
    return html`<section class="card" aria-labelledby="resources-title"><header><h2 id="resources-title">Resources in use</h2></header>
      ${this.renderPlot(resourcePlot, "Share of cores, memory, GPUs and other resources that tasks have")}</section>`;
  }

  renderUses() {
    if (!this.uses.length && !this.others) return html`<p class="quiet">Nobody has work in the pool right now.</p>`;
    if (!this.uses.length) return html`<p class="quiet">You have no work in the pool right now; others have ${plural(this.others, "running task")}.</p>`;
    const most = Math.max(1, ...this.uses.map((use) => use.running));
    return html`<ul class="list">${repeat(this.uses.slice(0, 8), (use) => `${use.user}/${use.project}`, (use) => html`<li>
      <a class="grow" href=${href("jobs", [], { project: use.project })}>${use.user} / ${use.project}</a>
      <span class="bar" aria-hidden="true"><span class="fill-running" .style=${`width:${(use.running / most) * 100}%`}></span></span>
      <span class="small quiet">${number(use.running)} running, ${compact(use.ready)} ready</span></li>`)}</ul>
      ${this.others ? html`<p class="quiet small">Others have ${plural(this.others, "running task")}.</p>` : nothing}`;
  }

  renderUsage() {
    if (!this.usage?.length) return nothing;
    return html`<section class="card flush" aria-labelledby="usage-title">
      <header><h2 id="usage-title">Usage in the last ${USAGE_DAYS} days</h2></header>
      <div class="table-box" tabindex="0"><table>
        <thead><tr><th scope="col">User</th><th scope="col" class="number">Attempts</th><th scope="col" class="number">Core time</th>
          <th scope="col" class="number optional">GPU time</th><th scope="col" class="number optional">Processor time</th>
          <th scope="col" class="number optional">Wasted</th><th scope="col" class="number optional">Results</th></tr></thead>
        <tbody>${this.usage.slice(0, 10).map((line) => html`<tr><td>${line.user}</td><td class="number">${number(line.attempts)}</td>
          <td class="number">${duration(line.coreMillis)}</td><td class="number optional">${line.gpuMillis ? duration(line.gpuMillis) : "–"}</td>
          <td class="number optional">${duration(line.cpuMillis)}</td><td class="number optional">${line.wastedCpuMillis ? duration(line.wastedCpuMillis) : "–"}</td>
          <td class="number optional">${bytes(line.bytesOut)}</td></tr>`)}</tbody>
      </table></div></section>`;
  }

  renderFirstSteps() {
    return html`<section class="card">${empty("This pool has not run anything yet",
      html`Give it something to do: write a job here, or run <code>imker run --wait -- 'echo {1..10}'</code> in a terminal.`,
      mayWork() ? html`<a class="button primary" href="#/submit">Submit a job</a>` : nothing)}</section>`;
  }

  render() {
    if (this.error) return this.problem(() => this.enter());
    if (!this.beats?.length) return loading("Reading the overview");
    return html`
      <div class="page-head"><h1>${session.pool.name}</h1>
        <span class="quiet small">Imker ${session.pool.version}</span></div>
      ${this.renderFigures()}
      ${this.jobs && !this.jobs.length && this.beats.at(-1).queued === 0 ? this.renderFirstSteps() : nothing}
      ${attentionList(this.attention, { release: (item) => this.release(item), drain: (item) => this.drain(item) })}
      ${this.renderRange()}
      <div class="grid">
        <section class="card" aria-labelledby="throughput-title"><header><h2 id="throughput-title">Throughput</h2></header>
          ${this.renderPlot(throughputPlot, "Tasks done and failed per second")}</section>
        <section class="card" aria-labelledby="use-title"><header><h2 id="use-title">Running and queue</h2></header>
          ${this.renderPlot(utilisationPlot, "Slots, running tasks and queue")}</section>
      </div>
      <div class="grid">
        ${this.renderResources()}
        <section class="card" aria-labelledby="who-title"><header><h2 id="who-title">Active now</h2></header>${this.renderUses()}</section>
      </div>
      ${this.renderUsage()}`;
  }

  async drain(item) {
    await this.attempt(() => post(path`api/v1/nodes/${item.node}/terms`, { draining: true, why: item.title }), `${item.node} finishes its tasks and gets no new ones.`);
  }

  async release(item) {
    await this.attempt(() => post(`api/v1/jobs/${item.job}/release`),
      (answer) => `${plural(answer.changed, "task")} will be tried again.`);
    this.attention = this.attention.filter((other) => other !== item);
  }
}
customElements.define("imker-overview", Overview);
