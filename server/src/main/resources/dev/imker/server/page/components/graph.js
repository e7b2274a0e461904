// Draws a directed graph in layers from left to right. `nodes`: {id, title, note, bar, critical, kind, open};
// `edges`: {from, to, label, critical, wrong}. Edges that close a cycle may be among them.
import { LitElement, html, nothing, svg } from "../lit.js";
import { HEIGHT, WIDTH, course, place } from "./layout.js";

const [SMALLEST, STEP, LARGEST] = [0.1, 1.3, 2];
const LEAST_READABLE = 0.55;
/** What there is of a window above and below a graph. */
const [LEAST_HIGH, ROUND_ABOUT] = [320, 140];

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

  renderEdge(edge, { at, bends }) {
    const [from, to] = [at.get(edge.from), at.get(edge.to)];
    if (!from || !to) return nothing;
    const kind = edge.wrong ? "wrong" : edge.critical ? "critical" : "";
    return svg`<path class="edge ${kind}" d=${course(from, to, bends.get(edge))} marker-end="url(#arrow)">
      <title>${edge.from} → ${edge.to}${edge.label ? ` (${edge.label})` : ""}</title></path>`;
  }

  renderNode(node, { x, y }) {
    const pick = () => this.dispatchEvent(new CustomEvent("pick", { detail: node }));
    const press = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      pick();
    };
    let left = 12;
    return svg`<g class="node ${node.critical ? "critical" : ""} ${node.kind ?? ""}" transform="translate(${x} ${y})" tabindex="0" role="button"
        aria-label="${node.title}: ${node.note}" aria-expanded=${node.open ?? nothing} @click=${pick} @keydown=${(event) => press(event)}>
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
    const box = this.querySelector(".graph");
    if (!box?.clientWidth) return;
    const most = parseFloat(getComputedStyle(box).maxHeight) || Infinity;
    const high = Math.min(most, Math.max(LEAST_HIGH, window.innerHeight - ROUND_ABOUT));
    this.zoom(Math.max(least, Math.min(1, box.clientWidth / this.width, high / this.height)));
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
    const placed = place(this.nodes, this.edges);
    const { at, width, height } = placed;
    [this.width, this.height] = [width, height];
    const scale = this.scale ?? 1;
    return html`<div class="row"><button class="small" aria-label="Smaller" ?disabled=${scale <= SMALLEST} @click=${() => this.zoom(scale / STEP)}>−</button>
      <button class="small" aria-label="Larger" ?disabled=${scale >= LARGEST} @click=${() => this.zoom(scale * STEP)}>+</button>
      <button class="small" @click=${() => this.fit()}>Fit</button>
      <span class="quiet small">${Math.round(scale * 100)} %</span></div>
      <div class="graph" tabindex="0" role="group" aria-label=${this.label} @wheel=${{ handleEvent: (event) => this.wheel(event), passive: false }}>
        <svg viewBox="0 0 ${width} ${height}" width=${width * scale} height=${height * scale}>
          <defs><marker id="arrow" viewBox="0 0 8 8" refX="6" refY="4" markerWidth="11" markerHeight="11" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path d="M0 0l8 4-8 4z"/></marker></defs>
          ${this.edges.map((edge) => this.renderEdge(edge, placed))}
          ${this.nodes.map((node) => this.renderNode(node, at.get(node.id)))}</svg></div>`;
  }
}
customElements.define("imker-graph", Graph);
