// Draws a directed graph in layers from left to right. `nodes`: {id, title, note, bar, critical, kind, open};
// `edges`: {from, to, label, critical, wrong}. Edges that close a cycle may be among them.
import { LitElement, html, nothing, svg } from "../lit.js";

const WIDTH = 190;
const HEIGHT = 58;
const GAP_X = 70;
const GAP_Y = 22;
const MARGIN = 20;
const [SMALLEST, STEP, LARGEST] = [0.1, 1.3, 2];
const LEAST_READABLE = 0.55;

/** The layer of each node: one more than that of all before it; cycles are cut where they close. */
export function layers(nodes, edges) {
  const before = new Map(nodes.map((node) => [node.id, []]));
  for (const edge of edges) before.get(edge.to)?.push(edge.from);
  const layer = new Map();
  const open = new Set();
  const visit = (id) => {
    if (layer.has(id)) return layer.get(id);
    if (open.has(id)) return -1;
    open.add(id);
    const depth = Math.max(-1, ...before.get(id).filter((one) => before.has(one)).map(visit)) + 1;
    open.delete(id);
    layer.set(id, depth);
    return depth;
  };
  nodes.forEach((node) => visit(node.id));
  return layer;
}

/** Places of all nodes; within a layer those come first whose predecessors do. */
export function place(nodes, edges) {
  const layer = layers(nodes, edges);
  const columns = [];
  for (const node of nodes) (columns[layer.get(node.id)] ??= []).push(node);
  const before = Map.groupBy(edges, (edge) => edge.to);
  const row = new Map();
  columns.forEach((column, x) => {
    const weight = new Map(column.map((node) => {
      const rows = (before.get(node.id) ?? []).filter((edge) => row.has(edge.from)).map((edge) => row.get(edge.from));
      return [node, rows.length ? rows.reduce((sum, one) => sum + one, 0) / rows.length : 0];
    }));
    if (x > 0) column.sort((a, b) => weight.get(a) - weight.get(b));
    column.forEach((node, y) => row.set(node.id, y));
  });
  const tallest = Math.max(1, ...columns.map((column) => column.length));
  const at = new Map();
  columns.forEach((column, x) => column.forEach((node, y) => at.set(node.id, {
    x: MARGIN + x * (WIDTH + GAP_X),
    y: MARGIN + (y + (tallest - column.length) / 2) * (HEIGHT + GAP_Y),
  })));
  return {
    at,
    width: 2 * MARGIN + columns.length * (WIDTH + GAP_X) - GAP_X,
    height: 2 * MARGIN + tallest * (HEIGHT + GAP_Y) - GAP_Y,
  };
}

function curve(from, to) {
  const [x1, y1, x2, y2] = [from.x + WIDTH, from.y + HEIGHT / 2, to.x, to.y + HEIGHT / 2];
  if (x2 > x1) {
    const half = (x2 - x1) / 2;
    return `M${x1} ${y1} C${x1 + half} ${y1} ${x2 - half} ${y2} ${x2 - 4} ${y2}`;
  }
  const low = Math.max(y1, y2) + HEIGHT;
  return `M${x1} ${y1} C${x1 + 60} ${low} ${x2 - 60} ${low} ${x2 - 4} ${y2}`;
}

const cut = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

class Graph extends LitElement {
  static properties = { nodes: { attribute: false }, edges: { attribute: false }, label: {}, scale: { state: true } };

  constructor() {
    super();
    this.edges = [];
  }

  createRenderRoot() {
    return this;
  }

  renderEdge(edge, at) {
    const [from, to] = [at.get(edge.from), at.get(edge.to)];
    if (!from || !to) return nothing;
    const kind = edge.wrong ? "wrong" : edge.critical ? "critical" : "";
    return svg`<path class="edge ${kind}" d=${curve(from, to)} marker-end="url(#arrow)">
      <title>${edge.from} → ${edge.to}${edge.label ? ` (${edge.label})` : ""}</title></path>`;
  }

  renderNode(node, { x, y }) {
    const pick = () => this.dispatchEvent(new CustomEvent("pick", { detail: node }));
    let left = 12;
    return svg`<g class="node ${node.critical ? "critical" : ""} ${node.kind ?? ""}" transform="translate(${x} ${y})" tabindex="0" role="button"
        aria-label="${node.title}: ${node.note}" aria-expanded=${node.open ?? nothing} @click=${pick} @keydown=${(event) => { if (event.key === "Enter") pick(); }}>
      <title>${node.hint ?? node.title}</title>
      <rect width=${WIDTH} height=${HEIGHT} rx="8"></rect>
      <text x="12" y="21">${cut(node.title, 24)}</text>
      <text x="12" y="37" class="quiet">${cut(node.note, 30)}</text>
      ${(node.bar ?? []).map(([kind, share]) => {
        const width = share * (WIDTH - 24);
        const piece = svg`<rect class="fill-${kind} slice" x=${left} y="45" width=${width} height="5"></rect>`;
        left += width;
        return piece;
      })}</g>`;
  }

  zoom(scale) {
    this.scale = Math.min(LARGEST, Math.max(SMALLEST, scale));
  }

  /** As large as there is room for; at first not so small that it cannot be read. */
  fit(least = SMALLEST) {
    const room = this.querySelector(".graph")?.clientWidth;
    if (room) this.zoom(Math.max(least, Math.min(1, room / this.width)));
  }

  updated() {
    if (this.scale === undefined && this.nodes?.length) this.fit(LEAST_READABLE);
  }

  wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    this.zoom(this.scale * (event.deltaY < 0 ? STEP : 1 / STEP));
  }

  render() {
    if (!this.nodes?.length) return nothing;
    const { at, width, height } = place(this.nodes, this.edges);
    this.width = width;
    const scale = this.scale ?? 1;
    return html`<div class="row"><button class="small" aria-label="Smaller" ?disabled=${scale <= SMALLEST} @click=${() => this.zoom(scale / STEP)}>−</button>
      <button class="small" aria-label="Larger" ?disabled=${scale >= LARGEST} @click=${() => this.zoom(scale * STEP)}>+</button>
      <button class="small" @click=${() => this.fit()}>Fit</button>
      <span class="quiet small">${Math.round(scale * 100)} %</span></div>
      <div class="graph" tabindex="0" role="group" aria-label=${this.label} @wheel=${{ handleEvent: (event) => this.wheel(event), passive: false }}>
        <svg viewBox="0 0 ${width} ${height}" width=${width * scale} height=${height * scale}>
          <defs><marker id="arrow" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="11" markerHeight="11" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M0 0l8 4-8 4z"/></marker></defs>
          ${this.edges.map((edge) => this.renderEdge(edge, at))}
          ${this.nodes.map((node) => this.renderNode(node, at.get(node.id)))}</svg></div>`;
  }
}
customElements.define("imker-graph", Graph);
