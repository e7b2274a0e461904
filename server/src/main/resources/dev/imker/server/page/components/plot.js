// A chart. The library behind it is large and is loaded with the first chart that is shown.
import { LitElement, html } from "../lit.js";
import { colour } from "../theme.js";

let library;
const loadLibrary = () => (library ??= import("../lib/echarts/dist/echarts.esm.min.js"));

const SERIES = ["series-1", "series-2", "series-3", "series-4", "series-5", "series-6"];

function palette() {
  return {
    text: colour("text"), quiet: colour("quiet"), line: colour("line"), surface: colour("surface"),
    done: colour("done"), failed: colour("failed"), running: colour("running"), ready: colour("ready"),
    cancelled: colour("cancelled"), blocked: colour("blocked"), accent: colour("accent-fill"),
    series: SERIES.map(colour),
  };
}

function axis(given, colours) {
  return [].concat(given).map((one) => ({
    nameTextStyle: { color: colours.quiet }, nameLocation: "middle", nameGap: 28,
    ...one,
    axisLabel: { color: colours.quiet, hideOverlap: true, ...one.axisLabel },
    axisLine: { lineStyle: { color: colours.line }, ...one.axisLine },
    splitLine: { lineStyle: { color: colours.line }, ...one.splitLine },
  }));
}

function dressed(options, colours) {
  const all = { animation: false, color: colours.series, textStyle: { fontFamily: "inherit" }, ...options };
  // Inline styles are forbidden here: hints are drawn, not written into the document.
  if (all.tooltip !== null) {
    all.tooltip = {
      renderMode: "richText", confine: true, backgroundColor: colours.surface,
      borderColor: colours.line, textStyle: { color: colours.text, fontSize: 12 }, ...options.tooltip,
    };
  }
  if (all.xAxis) all.xAxis = axis(all.xAxis, colours);
  if (all.yAxis) all.yAxis = axis(all.yAxis, colours);
  if (all.legend) all.legend = { icon: "roundRect", itemWidth: 14, itemHeight: 4, textStyle: { color: colours.quiet }, inactiveColor: colours.line, top: 0, type: "scroll", pageTextStyle: { color: colours.quiet }, ...all.legend };
  return all;
}

/**
 * `make` is a function from colours to options; `label` says in words what the chart shows. Options
 * are made anew when `data` changes.
 */
export class Plot extends LitElement {
  static properties = { make: { attribute: false }, data: { attribute: false }, label: {} };

  createRenderRoot() {
    return this;
  }

  connectedCallback() {
    super.connectedCallback();
    this.classList.add("plot");
    this.redraw = () => { this.drawn = undefined; this.draw(); };
    window.addEventListener("imker-theme", this.redraw);
    this.sizes = new ResizeObserver(() => this.chart?.resize());
    this.sizes.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    window.removeEventListener("imker-theme", this.redraw);
    this.sizes.disconnect();
    this.chart?.dispose();
    this.chart = undefined;
    this.drawn = undefined;
  }

  updated() {
    this.draw();
  }

  async draw() {
    const { init } = await loadLibrary();
    if (!this.isConnected || !this.make || (this.drawn === this.data && this.drawnBy === this.make)) return;
    this.drawn = this.data;
    this.drawnBy = this.make;
    if (!this.chart) {
      this.chart = init(this.firstElementChild);
      this.chart.on("click", (event) => this.dispatchEvent(new CustomEvent("pick", { detail: event })));
    }
    const colours = palette();
    this.chart.setOption(dressed(this.make(colours, this.data), colours), { notMerge: true });
    this.dataset.drawn = "true";
  }

  render() {
    return html`<div role="img" aria-label=${this.label ?? "chart"} class="canvas"></div>`;
  }
}
customElements.define("imker-plot", Plot);
