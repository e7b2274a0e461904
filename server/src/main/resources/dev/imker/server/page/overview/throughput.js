// What the server counted: every two seconds in the last half hour, and means of longer whiles.

const RATE_BEATS = 5;

/** How much a count grew per second, over the last few beats. */
export function rate(beats, name, at = beats.length - 1, span = RATE_BEATS) {
  const last = beats[at];
  const first = beats[Math.max(0, at - span)];
  const seconds = (last.atMillis - first.atMillis) / 1000;
  return seconds <= 0 ? 0 : Math.max(0, last[name] - first[name]) / seconds;
}

/** A figure of a longer while, which the server has worked out; what it did not know then is a gap. */
const kept = (span, name) => span.figures[name] ?? null;

const times = { type: "time", splitNumber: 4, splitLine: { show: false }, axisLabel: { alignMaxLabel: "right" } };
const grid = { left: 52, right: 16, top: 34, bottom: 28 };

function line(name, data, colour, more = {}) {
  return { name, type: "line", showSymbol: false, data, lineStyle: { width: 2, color: colour }, itemStyle: { color: colour }, ...more };
}

export function throughputPlot(colours, beats) {
  const points = (name) => beats.map((beat, i) => [beat.atMillis, beat.figures ? kept(beat, name) : Number(rate(beats, name, i, 1).toFixed(2))]);
  return {
    grid, legend: {}, tooltip: { trigger: "axis" }, xAxis: times,
    yAxis: { type: "value", minInterval: 1, name: "tasks per second", nameGap: 38 },
    series: [line("done", points("done"), colours.done), line("failed", points("failed"), colours.failed)],
  };
}

export function utilisationPlot(colours, beats) {
  const points = (name) => beats.map((beat) => [beat.atMillis, beat.figures ? kept(beat, name) : beat[name]]);
  return {
    grid: { ...grid, right: 52 }, legend: {}, tooltip: { trigger: "axis" }, xAxis: times,
    yAxis: [
      { type: "value", minInterval: 1, name: "slots", nameGap: 34 },
      { type: "value", minInterval: 1, name: "queue", splitLine: { show: false }, nameGap: 38 },
    ],
    series: [
      line("slots", points("slots"), colours.ready, { lineStyle: { type: "dashed", color: colours.ready } }),
      line("running", points("running"), colours.running, { areaStyle: { opacity: 0.15 } }),
      line("queue", points("queued"), colours.accent, { yAxisIndex: 1 }),
    ],
  };
}

/** Which share of each amount is taken, over time. */
export function resourcePlot(colours, moments) {
  const names = [...new Set(moments.flatMap((moment) => Object.keys(moment.used ?? {})))].filter((name) => name !== "disk").sort();
  return {
    grid, legend: {}, tooltip: { trigger: "axis", valueFormatter: (value) => (value === undefined || value === null ? "–" : `${value} %`) }, xAxis: times,
    yAxis: { type: "value", min: 0, max: 100, name: "% taken", nameGap: 34 },
    series: names.map((name, i) => line(name === "gpus" ? "GPUs" : name,
      moments.map((moment) => [moment.atMillis, moment.used?.[name] === undefined ? null : Number((moment.used[name] * 100).toFixed(1))]),
      colours.series[i % colours.series.length])),
  };
}
