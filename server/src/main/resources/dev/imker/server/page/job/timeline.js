// When tasks ran, and where: one line for each node.
import { html, nothing } from "../lit.js";
import { get } from "../api.js";
import { decimal, duration, number, plural, time, words } from "../format.js";
import { View, empty, loading } from "../components/view.js";
import "../components/plot.js";

const OUTCOMES = { DONE: "done", FAILED: "failed", RUNNING: "running", CANCELLED: "cancelled", EARLIER: "blocked" };
const WORDS = { EARLIER: "tried again" };

/** Long names of machines leave room for what ran on them; the hint has them whole. */
const names = () => ({ width: window.innerWidth < 800 ? 80 : 150, overflow: "truncate" });

const named = (outcome) => WORDS[outcome] ?? words(outcome);

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
    tooltip: { formatter: ({ data: { bar } }) => `task ${bar.task}, ${named(bar.outcome)}\n${bar.node}\n${time(bar.from)}\n${duration(bar.to - bar.from)}` },
    dataZoom: [{ type: "inside", filterMode: "weakFilter" }, { type: "slider", height: 18, bottom: 8, filterMode: "weakFilter" }],
    xAxis: { type: "time", splitLine: { show: false } },
    yAxis: { type: "category", data: rows, inverse: true, axisLabel: names() },
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

/** Middles of the parts that the time is divided into. */
const moments = ({ from, bucketMillis }, count) => Array.from({ length: count }, (_, i) => Date.parse(from) + (i + 0.5) * bucketMillis);

/** How many attempts ran at each time, by how they ended. */
export function outcomePlot(colours, view) {
  const all = Object.entries(view.outcomes);
  return {
    grid: { left: 52, right: 20, top: 32, bottom: 34 }, legend: {}, tooltip: { trigger: "axis", valueFormatter: (value) => decimal(value, 1) },
    xAxis: { type: "time" }, yAxis: { type: "value", minInterval: 1, name: "attempts running", nameGap: 34 },
    series: all.map(([outcome, running]) => {
      const at = moments(view, running.length);
      return { name: named(outcome), type: "line", stack: "all", step: "middle", showSymbol: false, lineStyle: { width: 0 }, areaStyle: { opacity: 0.85 },
        itemStyle: { color: colours[OUTCOMES[outcome]] }, data: running.map((value, i) => [at[i], value]) };
    }),
  };
}

/** How many attempts ran on each machine at each time, as a heat map. */
export function densityPlot(colours, view) {
  const rows = view.nodes.map((one) => one.node);
  const at = moments(view, view.nodes[0].running.length);
  const data = view.nodes.flatMap(({ running }, row) => running.flatMap((value, i) => (value > 0 ? [[i, row, value]] : [])));
  return {
    grid: { left: 12, right: 20, top: 8, bottom: 34, containLabel: true },
    tooltip: { formatter: ({ value }) => `${rows[value[1]]}\n${time(at[value[0]])}\n${decimal(value[2], 1)} attempts running` },
    xAxis: { type: "category", data: at.map((moment) => time(moment)), axisTick: { show: false } },
    yAxis: { type: "category", data: rows, inverse: true, splitLine: { show: false }, axisLabel: names() },
    visualMap: { show: false, dimension: 2, min: 0, max: Math.max(1, ...data.map((one) => one[2])), inRange: { color: [colours.line, colours.running] } },
    series: [{ type: "heatmap", data }],
  };
}

class Timeline extends View {
  static properties = { job: { attribute: false }, version: {}, found: { state: true } };

  willUpdate(changed) {
    if (changed.has("version")) this.reread();
  }

  async read() {
    const found = await this.load((signal) => get(`api/v1/jobs/${this.job.id}/timeline`, { signal }));
    if (!found) return;
    this.found = found;
    this.bars = found.runs?.map((run) => ({ ...run, from: Date.parse(run.from), to: Date.parse(run.to) }));
  }

  renderPlots() {
    const { attempts, otherNodes } = this.found;
    if (this.bars) return html`<imker-plot class="tall" .make=${timelinePlot} .data=${this.bars} label="Attempts over time, one line for each node"></imker-plot>`;
    return html`<imker-plot .make=${outcomePlot} .data=${this.found} label="How many of ${number(attempts)} attempts ran at each time, by how they ended"></imker-plot>
      <imker-plot class="tall" .make=${densityPlot} .data=${this.found} label="How many attempts ran on each node at each time"></imker-plot>
      ${otherNodes ? html`<p class="quiet small">The busiest nodes; ${plural(otherNodes, "other")} ran attempts as well.</p>` : nothing}`;
  }

  render() {
    if (this.error) return this.problem(() => this.read());
    if (!this.found) return loading("Reading attempts");
    const { attempts, nodes, otherNodes } = this.found;
    if (!attempts) return html`<section class="card">${empty("No task has started", "When tasks run, this shows when and where.")}</section>`;
    return html`<section class="card stack"><div class="card-head"><h2>${plural(attempts, "attempt")} on ${plural(nodes.length + otherNodes, "node")}</h2></div>${this.renderPlots()}</section>`;
  }
}
customElements.define("imker-timeline", Timeline);
