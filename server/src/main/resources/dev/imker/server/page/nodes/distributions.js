// How figures of nodes are spread: bars over classes, with plain or logarithmic axes.
import { duration, decimal } from "../format.js";

const CLASSES = 20;

/** Counts of values in classes of equal width, or of equal ratio. */
export function histogram(values, log) {
  const known = values.filter((value) => Number.isFinite(value) && (!log || value > 0));
  if (!known.length) return [];
  const scale = log ? Math.log10 : (value) => value;
  const back = log ? (value) => 10 ** value : (value) => value;
  const [low, high] = [scale(Math.min(...known)), scale(Math.max(...known))];
  const width = (high - low) / CLASSES || 1;
  const counts = new Array(high === low ? 1 : CLASSES).fill(0);
  for (const value of known) counts[Math.min(counts.length - 1, Math.floor((scale(value) - low) / width))]++;
  return counts.map((count, i) => ({ from: back(low + i * width), to: back(low + (i + 1) * width), count }));
}

function bars(colours, classes, words, log) {
  return {
    grid: { left: 44, right: 12, top: 16, bottom: 34 },
    tooltip: { formatter: ({ dataIndex }) => `${words(classes[dataIndex].from)} to ${words(classes[dataIndex].to)}\n${classes[dataIndex].count} nodes` },
    xAxis: { type: "category", data: classes.map((one) => words(one.from)) },
    yAxis: { type: log ? "log" : "value", min: log ? 0.5 : 0, minInterval: 1, name: "nodes", nameGap: 30, axisLabel: log ? { formatter: (value) => (value < 1 ? "" : value) } : {} },
    series: [{ type: "bar", barCategoryGap: "12%", barMaxWidth: 48, itemStyle: { color: colours.accent }, data: classes.map((one) => one.count || (log ? null : 0)) }],
  };
}

const plain = [];
const logarithmic = [];
// The same function for the same choice, so that a chart is not drawn anew for nothing.
function both(make) {
  plain.push(make(false));
  logarithmic.push(make(true));
  const at = plain.length - 1;
  return (log) => (log ? logarithmic : plain)[at];
}

export const reliabilityPlot = both((log) => (colours, nodes) =>
  bars(colours, histogram(nodes.map((node) => node.reliability ?? NaN), false), (value) => decimal(value), log));
export const uptimePlot = both((log) => (colours, nodes) =>
  bars(colours, histogram(nodes.map((node) => node.meanUptimeMinutes ?? NaN), log), (value) => duration(value * 60000), log));
export const workPlot = both((log) => (colours, nodes) =>
  bars(colours, histogram(nodes.map((node) => node.succeededMinutes || NaN), log), (value) => duration(value * 60000), log));
