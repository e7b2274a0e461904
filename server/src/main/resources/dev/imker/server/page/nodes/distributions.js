// How figures of nodes are spread: bars over classes that the server counted, with plain or logarithmic axes.
import { duration, share } from "../format.js";

function bars(colours, classes, words, log) {
  return {
    grid: { left: 44, right: 12, top: 16, bottom: 34 },
    tooltip: { formatter: ({ dataIndex }) => `${words(classes[dataIndex].from)} to ${words(classes[dataIndex].to)}\n${classes[dataIndex].count} nodes` },
    xAxis: { type: "category", data: classes.map((one) => words(one.from)) },
    yAxis: { type: log ? "log" : "value", min: log ? 0.5 : 0, startValue: log ? 0.5 : 0, max: log ? ({ max }) => Math.max(10, max) : null, minInterval: 1, name: "nodes", nameGap: 30, axisLabel: log ? { formatter: (value) => (value < 1 ? "" : value) } : {} },
    series: [{ type: "bar", barCategoryGap: "12%", barMaxWidth: 48, itemStyle: { color: colours.accent }, data: classes.map((one) => one.count || (log ? null : 0)) }],
  };
}

// The same function for the same choice, so that a chart is not drawn anew for nothing.
const both = (make) => {
  const [plain, logarithmic] = [make(false), make(true)];
  return (log) => (log ? logarithmic : plain);
};
const time = (minutes) => duration(minutes * 60000);

export const reliabilityPlot = both((log) => (colours, spread) => bars(colours, spread.reliability, share, log));
export const uptimePlot = both((log) => (colours, spread) => bars(colours, log ? spread.uptimeLog : spread.uptime, time, log));
export const workPlot = both((log) => (colours, spread) => bars(colours, log ? spread.workLog : spread.work, time, log));
