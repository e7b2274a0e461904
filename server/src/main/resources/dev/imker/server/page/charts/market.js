// One market: candles with trades, and what became of the account.

const zoom = [{ type: "inside" }, { type: "slider", height: 18, bottom: 6 }];

/** The bars that a run went through, of a file that has them all or only those. */
export function barsOf(run, bars) {
  const first = bars.findIndex((bar) => bar.date === run.fromDate);
  const from = first < 0 ? run.firstBar : first;
  return bars.slice(from, from + run.curve.length);
}

/** Room for slippage. */
const PRICE_TOLERANCE = 0.05;

/** Whether these can be the prices that a run traded at. */
export function areOf(run, bars) {
  const byDate = new Map(bars.map((bar) => [bar.date, bar]));
  const fits = (date, price) => {
    const bar = byDate.get(date);
    return bar && price >= bar.low * (1 - PRICE_TOLERANCE) && price <= bar.high * (1 + PRICE_TOLERANCE);
  };
  return byDate.has(run.fromDate) && byDate.has(run.toDate)
    && run.trades.every((trade) => fits(trade.entryDate, trade.entryPrice) && fits(trade.exitDate, trade.exitPrice));
}

/** Dates of the bars of a run; without prices, bars are only numbered. */
function dates(run, bars) {
  return bars ? barsOf(run, bars).map((bar) => bar.date) : run.curve.map((_, i) => String(run.firstBar + i));
}

function marks(run, colours) {
  return run.trades.flatMap((trade) => [
    { name: `${trade.side} in`, coord: [trade.entryDate, trade.entryPrice], symbol: "triangle", symbolRotate: trade.side === "long" ? 0 : 180, symbolSize: 10, itemStyle: { color: colours.running } },
    { name: "out", coord: [trade.exitDate, trade.exitPrice], symbol: "diamond", symbolSize: 10, itemStyle: { color: trade.profit >= 0 ? colours.done : colours.failed } },
  ]);
}

export function candlePlot(colours, { run, bars }) {
  const shown = barsOf(run, bars);
  const first = Math.max(0, 100 - (250 / shown.length) * 100);
  return {
    grid: { left: 56, right: 16, top: 12, bottom: 62 }, tooltip: { trigger: "axis", axisPointer: { type: "cross" } },
    dataZoom: zoom.map((one) => ({ ...one, start: first, end: 100 })),
    xAxis: { type: "category", data: shown.map((bar) => bar.date) }, yAxis: { type: "value", scale: true },
    series: [{
      type: "candlestick", data: shown.map((bar) => [bar.open, bar.close, bar.low, bar.high]),
      itemStyle: { color: colours.done, color0: colours.failed, borderColor: colours.done, borderColor0: colours.failed },
      markPoint: { data: marks(run, colours), label: { show: false } },
      markLine: { symbol: "none", label: { show: false }, data: run.trades.map((trade) => [{ coord: [trade.entryDate, trade.entryPrice] }, { coord: [trade.exitDate, trade.exitPrice], lineStyle: { color: trade.profit >= 0 ? colours.done : colours.failed, type: "dashed" } }]) },
    }],
  };
}

/** How far the account is below its highest value so far, as a share. */
export function drawdown(curve) {
  let peak = -Infinity;
  return curve.map((value) => {
    peak = Math.max(peak, value);
    return value / peak - 1;
  });
}

export function equityPlot(colours, { run, bars }) {
  return {
    grid: [{ left: 62, right: 16, top: 28, height: "46%" }, { left: 62, right: 16, top: "66%", height: "18%" }], legend: { data: ["account", "draw-down"] },
    tooltip: { trigger: "axis" }, axisPointer: { link: [{ xAxisIndex: "all" }] },
    dataZoom: [{ type: "inside", xAxisIndex: [0, 1] }],
    xAxis: [{ type: "category", data: dates(run, bars), axisLabel: { show: false } }, { type: "category", gridIndex: 1, data: dates(run, bars) }],
    yAxis: [{ type: "value", scale: true }, { type: "value", gridIndex: 1, max: 0, splitNumber: 2, axisLabel: { formatter: (value) => `${Math.round(value * 100)} %` } }],
    series: [
      { name: "account", type: "line", showSymbol: false, data: run.curve, itemStyle: { color: colours.running } },
      { name: "draw-down", type: "line", showSymbol: false, xAxisIndex: 1, yAxisIndex: 1, data: drawdown(run.curve), itemStyle: { color: colours.failed }, areaStyle: { opacity: 0.3 } }],
  };
}

/** The accounts of several analyses, each 100 at its first bar. */
export function comparePlot(colours, courses) {
  return {
    grid: { left: 56, right: 16, top: 36, bottom: 40 }, legend: { type: "scroll" }, tooltip: { trigger: "axis", valueFormatter: (value) => value?.toFixed(1) },
    xAxis: { type: "value", name: "bar", min: "dataMin", max: "dataMax" }, yAxis: { type: "value", scale: true },
    series: courses.map(({ name, run }, i) => ({
      name, type: "line", showSymbol: false, itemStyle: { color: colours.series[i % colours.series.length] },
      data: run.curve.map((value, at) => [run.firstBar + at, (100 * value) / run.curve[0]]),
    })),
  };
}
