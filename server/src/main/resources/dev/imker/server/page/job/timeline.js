// When tasks ran, and where: one line for each node.
import { html, nothing } from "../lit.js";
import { get, query } from "../api.js";
import { duration, number, time, words } from "../format.js";
import { View, empty, loading } from "../components/view.js";
import "../components/plot.js";

const MOST_TASKS = 1000;
const MOST_RETRIED = 40;
const OUTCOMES = { DONE: "done", FAILED: "failed", RUNNING: "running", AUTO_BLOCKED: "blocked", CANCELLED: "cancelled", SUCCEEDED: "done", LOST: "cancelled" };

function bars(tasks, histories) {
  const last = tasks.filter((task) => task.started).map((task) => ({
    task: task.number, node: task.node, from: Date.parse(task.started),
    to: task.ended ? Date.parse(task.ended) : Date.now(), outcome: task.state }));
  const earlier = histories.flatMap((task) => task.attemptHistory.slice(0, -1).filter((one) => one.started ?? one.leased).map((one) => ({
    task: task.number, node: one.node, from: Date.parse(one.started ?? one.leased),
    to: Date.parse(one.ended ?? one.leased), outcome: one.outcome ?? "LOST" })));
  return [...earlier, ...last];
}

/** Attempts that overlap on a node are drawn in lanes below each other. */
export function lanes(all) {
  const ends = new Map();
  for (const bar of [...all].sort((a, b) => a.from - b.from)) {
    if (!ends.has(bar.node)) ends.set(bar.node, []);
    const free = ends.get(bar.node);
    let lane = free.findIndex((end) => end <= bar.from);
    if (lane < 0) lane = free.length;
    free[lane] = bar.to;
    bar.row = `${bar.node}${lane ? ` (${lane + 1})` : ""}`;
  }
  return [...ends].sort(([a], [b]) => a.localeCompare(b))
    .flatMap(([node, free]) => free.map((_, lane) => `${node}${lane ? ` (${lane + 1})` : ""}`));
}

export function timelinePlot(colours, all) {
  const rows = lanes(all);
  const data = all.map((bar) => ({
    value: [rows.indexOf(bar.row), bar.from, bar.to, bar.task], bar,
    itemStyle: { color: colours[OUTCOMES[bar.outcome]] ?? colours.failed } }));
  return {
    grid: { left: 12, right: 20, top: 12, bottom: 60, containLabel: true },
    tooltip: { formatter: ({ data: { bar } }) => `task ${bar.task}, ${words(bar.outcome)}\n${bar.node}\n${time(bar.from)}\n${duration(bar.to - bar.from)}` },
    dataZoom: [{ type: "inside", filterMode: "weakFilter" }, { type: "slider", height: 18, bottom: 8, filterMode: "weakFilter" }],
    xAxis: { type: "time", splitLine: { show: false } },
    yAxis: { type: "category", data: rows, inverse: true },
    series: [{
      type: "custom", data, encode: { x: [1, 2], y: 0 },
      renderItem(_, api) {
        const [row, from, to] = [api.value(0), api.coord([api.value(1), api.value(0)]), api.coord([api.value(2), api.value(0)])];
        const height = Math.max(3, Math.min(22, api.size([0, 1])[1] * 0.6));
        return { type: "rect", id: row, shape: { x: from[0], y: from[1] - height / 2, width: Math.max(2, to[0] - from[0]), height, r: 2 }, style: { fill: api.visual("color") } };
      },
    }],
  };
}

class Timeline extends View {
  static properties = { job: { attribute: false }, version: {}, bars: { state: true }, cut: { state: true } };

  willUpdate(changed) {
    if (changed.has("version")) this.read();
  }

  async read() {
    if (this.reading) return;
    this.reading = true;
    await this.load(async (signal) => {
      const page = await get(`api/v1/jobs/${this.job.id}/tasks${query({ limit: MOST_TASKS, state: "RUNNING,DONE,FAILED,AUTO_BLOCKED,CANCELLED" })}`, { signal });
      const retried = page.tasks.filter((task) => task.attempts > 1).slice(0, MOST_RETRIED);
      const histories = await Promise.all(retried.map((task) => get(`api/v1/tasks/${task.id}`, { signal })));
      this.bars = bars(page.tasks, histories);
      this.cut = page.next != null;
    });
    this.reading = false;
  }

  render() {
    if (this.error) return this.problem(() => this.read());
    if (!this.bars) return loading("Reading attempts");
    if (!this.bars.length) return html`<section class="card">${empty("No task has started", "As soon as one does, you see here when and where it ran.")}</section>`;
    const nodes = new Set(this.bars.map((bar) => bar.node)).size;
    return html`<section class="card stack"><div class="card-head"><h2>${number(this.bars.length)} attempts on ${number(nodes)} ${nodes === 1 ? "node" : "nodes"}</h2>
      ${this.cut ? html`<span class="quiet small">The first ${number(MOST_TASKS)} tasks.</span>` : nothing}</div>
      <imker-plot class="tall" .make=${timelinePlot} .data=${this.bars} label="Attempts over time, one line for each node"></imker-plot></section>`;
  }
}
customElements.define("imker-timeline", Timeline);
