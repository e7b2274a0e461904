// Where the nodes of a graph in layers are, and on which ways the edges go between them.

export const WIDTH = 190;
export const HEIGHT = 58;
const GAP_X = 70;
const GAP_Y = 22;
const MARGIN = 20;
/** What an edge takes that passes a layer between two nodes of it. */
const LANE = 10;

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

/**
 * What is in each layer: nodes, and lanes for edges that pass it. Edges of one node share their lanes.
 * `ways` has the lanes of each edge that passes layers.
 */
function columnsOf(nodes, edges) {
  const layer = layers(nodes, edges);
  const columns = [];
  for (const node of nodes) (columns[layer.get(node.id)] ??= []).push({ id: node.id, height: HEIGHT, before: [] });
  const items = new Map(columns.flat().map((item) => [item.id, item]));
  const lanes = new Map();
  const ways = new Map();
  for (const edge of edges) {
    const [first, last] = [layer.get(edge.from), layer.get(edge.to)];
    if (first === undefined || last === undefined || last <= first) continue;
    let before = items.get(edge.from);
    const way = [];
    for (let x = first + 1; x < last; x++) {
      const id = `${x} ${edge.from}`;
      if (!lanes.has(id)) {
        lanes.set(id, { x, height: LANE, before: [before] });
        columns[x].push(lanes.get(id));
      }
      before = lanes.get(id);
      way.push(before);
    }
    items.get(edge.to).before.push(before);
    if (way.length) ways.set(edge, way);
  }
  return { columns, ways };
}

/** In each layer those come first whose predecessors do. */
function sort(columns) {
  columns.forEach((column, x) => {
    if (x > 0) {
      const weight = new Map(column.map((item) => {
        const rows = item.before.filter((one) => one.row !== undefined).map((one) => one.row);
        return [item, rows.length ? rows.reduce((sum, one) => sum + one, 0) / rows.length : 0];
      }));
      column.sort((a, b) => weight.get(a) - weight.get(b));
    }
    column.forEach((item, row) => { item.row = row; });
  });
}

const highOf = (column) => column.reduce((sum, item) => sum + item.height + GAP_Y, -GAP_Y);

/** Places of all nodes, and for edges that pass layers, the points where they do (`bends`). */
export function place(nodes, edges) {
  const { columns, ways } = columnsOf(nodes, edges);
  sort(columns);
  const tallest = Math.max(HEIGHT, ...columns.map(highOf));
  const at = new Map();
  columns.forEach((column, i) => {
    const x = MARGIN + i * (WIDTH + GAP_X);
    let y = MARGIN + (tallest - highOf(column)) / 2;
    for (const item of column) {
      Object.assign(item, { left: x, middle: y + item.height / 2 });
      if (item.id !== undefined) at.set(item.id, { x, y });
      y += item.height + GAP_Y;
    }
  });
  const bends = new Map([...ways].map(([edge, way]) => [edge, way.map(({ left, middle }) => ({ x: left, y: middle }))]));
  return { at, bends, width: 2 * MARGIN + columns.length * (WIDTH + GAP_X) - GAP_X, height: 2 * MARGIN + tallest };
}

const bow = (x1, y1, x2, y2) => `C${(x1 + x2) / 2} ${y1} ${(x1 + x2) / 2} ${y2} ${x2} ${y2}`;

/** The way of an edge, as a path of SVG: through the gaps that were left for it, never behind a node. */
export function course(from, to, bends = []) {
  const [x1, y1, x2, y2] = [from.x + WIDTH, from.y + HEIGHT / 2, to.x - 4, to.y + HEIGHT / 2];
  if (x2 <= x1) {
    const low = Math.max(y1, y2) + HEIGHT;
    return `M${x1} ${y1} C${x1 + 60} ${low} ${x2 - 60} ${low} ${x2} ${y2}`;
  }
  let [x, y] = [x1, y1];
  let path = `M${x} ${y}`;
  for (const bend of bends) {
    path += ` ${bow(x, y, bend.x, bend.y)} H${bend.x + WIDTH}`;
    [x, y] = [bend.x + WIDTH, bend.y];
  }
  return `${path} ${bow(x, y, x2, y2)}`;
}
