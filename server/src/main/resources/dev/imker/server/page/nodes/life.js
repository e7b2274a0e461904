// The life of a node, drawn.
import { duration } from "../format.js";

const HOUR = 3600000;
const DAYS = 30;
/** A minute of an hour is to be seen, too. */
const LEAST_SEEN = 0.25;

/** For each hour of the last days, the share of it that the node was there. */
export function hours(spans, now = Date.now()) {
  const first = new Date(now);
  first.setHours(0, 0, 0, 0);
  const start = first.getTime() - (DAYS - 1) * 24 * HOUR;
  const shares = new Array(DAYS * 24).fill(0);
  for (const span of spans) {
    const to = span.toMillis ?? now;
    for (let hour = Math.max(0, Math.floor((span.fromMillis - start) / HOUR)); hour < shares.length && start + hour * HOUR < to; hour++) {
      const begin = start + hour * HOUR;
      shares[hour] += Math.max(0, Math.min(to, begin + HOUR) - Math.max(span.fromMillis, begin)) / HOUR;
    }
  }
  return shares.map((share, i) => ({ day: Math.floor(i / 24), hour: i % 24, share: Math.min(1, share), at: start + i * HOUR }));
}

export function calendarPlot(colours, { up }) {
  const all = hours(up);
  const days = all.filter((one) => one.hour === 0).map((one) => new Date(one.at).toLocaleDateString("en-GB", { month: "short", day: "numeric" }));
  return {
    grid: { left: 60, right: 12, top: 8, bottom: 34 },
    tooltip: { formatter: ({ value }) => `${days[value[1]]}, ${value[0]} to ${value[0] + 1} h\n${Math.round(value[3] * 100)} % there` },
    xAxis: { type: "category", data: Array.from({ length: 24 }, (_, i) => i), splitArea: { show: false }, name: "hour" },
    yAxis: { type: "category", data: days, inverse: true, splitLine: { show: false } },
    visualMap: { show: false, dimension: 2, min: 0, max: 1, inRange: { color: [colours.line, colours.done] } },
    series: [{ type: "heatmap", data: all.map((one) => [one.hour, one.day, one.share && Math.max(LEAST_SEEN, one.share), one.share]), itemStyle: { borderWidth: 1, borderColor: colours.surface } }],
  };
}

export function survivalPlot(colours, { survival }) {
  return {
    grid: { left: 52, right: 16, top: 16, bottom: 40 },
    tooltip: { trigger: "axis", formatter: ([{ value }]) => `${Math.round(value[1] * 100)} % of up-times last ${duration(value[0])}` },
    xAxis: { type: "value", name: "up-time", axisLabel: { formatter: (value) => duration(value) } },
    yAxis: { type: "value", min: 0, max: 1, name: "share still there", nameGap: 36 },
    series: [{ type: "line", step: "end", showSymbol: survival.length < 40, data: survival.map((point) => [point.millis, point.share]), itemStyle: { color: colours.running }, areaStyle: { opacity: 0.12 } }],
  };
}
