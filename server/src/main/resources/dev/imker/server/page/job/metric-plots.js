// A metric over parameters, drawn.
import { words } from "../format.js";

const numeric = (values) => values.every((value) => value !== "" && Number.isFinite(Number(value)));

/** Different values of a parameter: numbers in their order, others as they came. */
export function valuesOf(rows, name) {
  const all = [...new Set(rows.map((row) => row.params[name]).filter((value) => value !== undefined))];
  return numeric(all) ? all.sort((a, b) => a - b) : all;
}

function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Means of the metric for each value, or pair of values. */
function means(rows, metric, names) {
  const all = Map.groupBy(rows.filter((row) => row.metrics[metric] !== undefined), (row) => JSON.stringify(names.map((name) => row.params[name])));
  return new Map([...all].map(([key, some]) => [key, mean(some.map((row) => row.metrics[metric]))]));
}

/** One line for each value of the second parameter. */
export function linePlot(colours, { rows, metric, x, y, params }) {
  const across = valuesOf(rows, x);
  const others = y ? valuesOf(rows, y).slice(0, 12) : [undefined];
  const isNumber = numeric(across);
  const found = means(rows, metric, y ? [x, y] : [x]);
  const rest = params.filter((name) => name !== x && name !== y);
  return {
    grid: { left: 60, right: 20, top: 36, bottom: 44 }, legend: { show: Boolean(y) }, tooltip: { trigger: "axis" },
    xAxis: { type: isNumber ? "value" : "category", data: isNumber ? undefined : across, name: rest.length ? `${x} (mean over ${rest.join(", ")})` : x, scale: true },
    yAxis: { type: "value", name: metric, nameGap: 44, scale: true },
    series: others.map((other) => ({
      name: y ? `${y}=${other}` : metric, type: "line", showSymbol: across.length < 60,
      data: across.map((value) => [isNumber ? Number(value) : value, found.get(JSON.stringify(y ? [value, other] : [value]))]).filter(([, value]) => value !== undefined),
    })),
  };
}

export function heatPlot(colours, { rows, metric, x, y }) {
  const [across, down] = [valuesOf(rows, x), valuesOf(rows, y)];
  const found = means(rows, metric, [x, y]);
  const data = across.flatMap((a, i) => down.flatMap((b, j) => {
    const value = found.get(JSON.stringify([a, b]));
    return value === undefined ? [] : [[i, j, value]];
  }));
  const all = data.map((one) => one[2]);
  return {
    grid: { left: 70, right: 90, top: 12, bottom: 44 },
    tooltip: { formatter: ({ value }) => `${x}=${across[value[0]]}\n${y}=${down[value[1]]}\n${metric} ${value[2]}` },
    xAxis: { type: "category", data: across, name: x }, yAxis: { type: "category", data: down, name: y, nameGap: 48 },
    visualMap: { min: Math.min(...all), max: Math.max(...all), calculable: false, right: 0, top: "middle", precision: 3, text: [Math.max(...all), Math.min(...all)].map((value) => Number(value.toPrecision(3))), textStyle: { color: colours.quiet },
      inRange: { color: [colours.series[0], colours.surface, colours.series[1]] } },
    series: [{ type: "heatmap", data, itemStyle: { borderWidth: 1, borderColor: colours.line } }],
  };
}

/** A line for each task through all of its parameters and metrics. */
export function parallelPlot(colours, { rows, params, names, metric }) {
  const dims = [...params, ...names.filter((name) => name !== metric), metric];
  const value = (row, name) => row.params[name] ?? row.metrics[name];
  const axes = dims.map((name, dim) => {
    const all = rows.map((row) => value(row, name)).filter((one) => one !== undefined);
    const isNumber = numeric(all);
    return { dim, name, type: isNumber ? "value" : "category", data: isNumber ? undefined : [...new Set(all)], scale: true,
      axisLine: { lineStyle: { color: colours.quiet } }, axisLabel: { color: colours.quiet }, nameTextStyle: { color: colours.text } };
  });
  const whole = rows.filter((row) => dims.every((name) => value(row, name) !== undefined));
  const last = whole.map((row) => row.metrics[metric]);
  return {
    parallel: { left: 60, right: 90, top: 40, bottom: 20 }, parallelAxis: axes, tooltip: null,
    visualMap: { show: false, dimension: dims.length - 1, min: Math.min(...last), max: Math.max(...last), inRange: { color: [colours.series[0], colours.series[1]] } },
    series: [{ name: words(metric), type: "parallel", lineStyle: { width: 1.5, opacity: 0.6 }, data: whole.map((row) => dims.map((name, i) => (axes[i].type === "value" ? Number(value(row, name)) : value(row, name)))) }],
  };
}
