// What every combination of parameters is worth: the best over all others, for two of them.
import { html } from "../lit.js";
import { number } from "../format.js";

/** The highest worth for each pair of values of two parameters. */
export function heat(surface, x, y) {
  const best = new Map();
  surface.values.forEach((values, i) => {
    const key = `${values[x]} ${values[y]}`;
    if (!(best.get(key)?.worth >= surface.worth[i])) best.set(key, { x: values[x], y: values[y], worth: surface.worth[i] });
  });
  const sorted = (name) => [...new Set([...best.values()].map((one) => one[name]))].sort((a, b) => a - b);
  return { xs: sorted("x"), ys: sorted("y"), cells: [...best.values()].filter((one) => Number.isFinite(one.worth)) };
}

export function heatPlot(colours, { surface, x, y }) {
  const { xs, ys, cells } = heat(surface, x, y);
  const worth = cells.map((cell) => cell.worth);
  return {
    grid: { left: 60, right: 96, top: 12, bottom: 46 },
    tooltip: { formatter: ({ value }) => `${surface.parameters[x]} ${xs[value[0]]}\n${surface.parameters[y]} ${ys[value[1]]}\nworth ${value[2].toFixed(3)}` },
    xAxis: { type: "category", data: xs, name: surface.parameters[x] }, yAxis: { type: "category", data: ys, name: surface.parameters[y], nameGap: 40 },
    visualMap: { min: Math.min(...worth), max: Math.max(...worth), right: 0, top: "middle", calculable: true, precision: 2, textStyle: { color: colours.quiet }, inRange: { color: [colours.line, colours.series[0]] } },
    series: [{ type: "heatmap", data: cells.map((cell) => [xs.indexOf(cell.x), ys.indexOf(cell.y), cell.worth]) }],
  };
}

/** With one parameter only, a line says as much. */
function linePlot(colours, { surface }) {
  const points = surface.values.map((values, i) => [values[0], surface.worth[i]]).filter(([, worth]) => Number.isFinite(worth)).sort((a, b) => a[0] - b[0]);
  return { grid: { left: 60, right: 16, top: 12, bottom: 40 }, tooltip: { trigger: "axis" }, xAxis: { type: "value", scale: true, name: surface.parameters[0] }, yAxis: { type: "value", scale: true }, series: [{ type: "line", data: points, itemStyle: { color: colours.running } }] };
}

export function surfacePicture(view) {
  const { surface } = view.chosen.result;
  const names = surface.parameters;
  const [x, y] = view.axes ?? [0, Math.min(1, names.length - 1)];
  if (view.heatFor !== view.chosen || view.heatAxes !== view.axes) {
    [view.heatFor, view.heatAxes, view.heatData] = [view.chosen, view.axes, { surface, x, y }];
  }
  const choose = (at) => (event) => { view.axes = at ? [x, Number(event.target.value)] : [Number(event.target.value), y]; };
  const select = (label, at, present) => html`<label><span class="visually-hidden">${label}</span><select @change=${choose(at)}>${names.map((name, i) => html`<option value=${i} ?selected=${i === present}>${name}</option>`)}</select></label>`;
  return html`<section class="card stack"><div class="card-head"><h2>Surface of ${number(surface.worth.length)} combinations</h2>
    ${names.length > 2 ? html`<div class="row">${select("Across", 0, x)}<span aria-hidden="true">×</span>${select("Upwards", 1, y)}</div>` : ""}</div>
    <imker-plot class="tall" .make=${names.length > 1 ? heatPlot : linePlot} .data=${view.heatData} label="Worth of combinations of ${names[x]} and ${names[y]}"></imker-plot></section>`;
}
