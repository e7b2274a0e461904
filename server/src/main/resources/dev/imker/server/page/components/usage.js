// What a task or a machine used over time: cores, memory and disk, one below the other.
import { html, nothing } from "../lit.js";
import { get } from "../api.js";
import { bytes, decimal } from "../format.js";
import { View } from "./view.js";
import "./plot.js";

/** So few points are no course of time. */
const LEAST_POINTS = 2;
const REFRESH_MILLIS = 10000;

const FIGURES = [
  { title: "Cores in use", least: 0.15, value: (point) => point.cores, words: (value) => decimal(value, value < 10 ? 2 : 0), colour: "running" },
  { title: "Memory", value: (point) => point.memoryBytes, words: bytes, colour: "done" },
  { title: "Disk", value: (point) => point.diskBytes, words: bytes, colour: "accent" },
];

/** The same function for the same figure, so that a plot is not drawn anew for nothing. */
const MAKERS = new Map(FIGURES.map((figure) => [figure, (colours, { points, most }) => ({
  grid: { left: 64, right: 16, top: 12, bottom: 26 },
  tooltip: { trigger: "axis", valueFormatter: (value) => figure.words(value) },
  xAxis: { type: "time", splitNumber: 4 },
  yAxis: { type: "value", min: 0, max: most?.[figure.title] ?? figure.least ? ({ max }) => Math.max(max, most?.[figure.title] ?? figure.least) : null, splitNumber: 3, axisLabel: { formatter: figure.words } },
  series: [{ name: figure.title, type: "line", showSymbol: false, areaStyle: { opacity: 0.12 }, itemStyle: { color: colours[figure.colour] }, data: points.map((point) => [point.atMillis, figure.value(point)]) }],
})]));

/** `url` answers the points; `most` has what there is of each figure, by title; `empty` says why there may be nothing. */
class Usage extends View {
  static properties = { url: {}, live: { type: Boolean }, most: { attribute: false }, empty: {}, points: { state: true } };

  enter() {
    const timer = setInterval(() => { if (this.live && !document.hidden) this.reread(); }, REFRESH_MILLIS);
    this.onLeave(() => clearInterval(timer));
  }

  willUpdate(changed) {
    if (changed.has("url")) this.points = undefined;
    if (changed.has("url") || changed.has("live")) this.reread();
  }

  async read() {
    const { url } = this;
    const found = await this.load((signal) => get(url, { signal }));
    if (!found || url !== this.url) return;
    this.points = found.points;
    this.data = { points: found.points, most: this.most };
  }

  render() {
    if (this.error) return this.problem(() => this.read());
    if (!this.points) return nothing;
    if (this.points.length < LEAST_POINTS) return this.empty ? html`<p class="quiet small">${this.empty}</p>` : nothing;
    const shown = FIGURES.filter((figure) => this.points.some((point) => figure.value(point) > 0));
    return html`<div class="grid thirds">${shown.map((figure) => html`<figure class="usage"><figcaption>${figure.title} <span class="quiet">${figure.words(figure.value(this.points.at(-1)))}${this.live ? " now" : " at the end"}, at most ${figure.words(Math.max(...this.points.map(figure.value)))}</span></figcaption>
      <imker-plot class="low" .make=${MAKERS.get(figure)} .data=${this.data} label="${figure.title} over time"></imker-plot></figure>`)}</div>`;
  }
}
customElements.define("imker-usage", Usage);
