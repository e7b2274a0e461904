// How runs of strategies went over time.
const grid = { left: 52, right: 16, top: 34, bottom: 40 };
const time = { type: "value", name: "minutes", splitLine: { show: false }, max: "dataMax" };

const line = (name, minutes, values) => ({ name, type: "line", showSymbol: false, data: minutes.map((minute, i) => [minute, Number(values[i].toFixed(2))]) });

export function efficiencyPlot(_, report) {
  return {
    grid, legend: {}, tooltip: { trigger: "axis" }, xAxis: time, yAxis: { type: "value", min: 0, max: 100, name: "%", nameGap: 36 },
    series: report.outcomes.map(({ strategy, curves }) => line(strategy, curves.minutes, curves.efficiency)),
  };
}

/** The mean over projects. */
export function donePlot(_, report) {
  return {
    grid, legend: {}, tooltip: { trigger: "axis" }, xAxis: time, yAxis: { type: "value", min: 0, max: 100, name: "%", nameGap: 36 },
    series: report.outcomes.map(({ strategy, curves }) => line(strategy, curves.minutes,
      curves.minutes.map((_minute, i) => curves.done.reduce((sum, one) => sum + one[i], 0) / Math.max(1, curves.done.length)))),
  };
}

export function usedPlot(_, { resources, curves }) {
  return {
    grid, legend: {}, tooltip: { trigger: "axis" }, xAxis: time, yAxis: { type: "value", min: 0, max: 100, name: "%", nameGap: 36 },
    series: resources.map(({ name }, k) => line(name, curves.minutes, curves.used[k])),
  };
}

/** Areas add up only over an axis of classes. */
export function workingPlot(_, outcome) {
  return {
    grid, legend: {}, tooltip: { trigger: "axis" },
    xAxis: { type: "category", boundaryGap: false, data: outcome.curves.minutes.map((minute) => Math.round(minute)), name: "minutes" },
    yAxis: { type: "value", name: "nodes", nameGap: 36 },
    series: outcome.projects.map(({ name }, k) => ({
      name, type: "line", showSymbol: false, stack: "all", areaStyle: { opacity: 0.35 }, lineStyle: { width: 1 }, data: [...outcome.curves.working[k]] })),
  };
}
