// QR codes (ISO/IEC 18004): bytes, error correction M, the smallest version that has room.
import { html, svg } from "../lit.js";

/** Of each version: error correction codewords of a block, and blocks. */
const CHECKS = [10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28];
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49];
const BYTE_MODE = 4;
const QUIET = 4;

/** Of a module: parts of pixels would blur it. */
const PIXELS = 4;

/** The eight masks: where a module is turned over. */
const MASKS = [
  (x, y) => (x + y) % 2, (x, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2, (x, y) => ((x * y) % 2) + ((x * y) % 3),
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

/** Centres of the small squares along a side. */
function alignments(version) {
  if (version === 1) return [];
  const count = Math.floor(version / 7) + 2;
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2;
  return [6, ...Array.from({ length: count - 1 }, (_, i) => version * 4 + 10 - (count - 2 - i) * step)];
}

/** Modules that are left for data and error correction. */
function room(version) {
  const centres = alignments(version).length;
  const squares = centres ? 25 * centres * centres - 10 * centres - 55 : 0;
  return (16 * version + 128) * version + 64 - squares - (version >= 7 ? 36 : 0);
}

const codewords = (version) => Math.floor(room(version) / 8);
const dataWords = (version) => codewords(version) - CHECKS[version - 1] * BLOCKS[version - 1];

/** Product in the field of 256 elements. */
function times(a, b) {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) product = ((product << 1) ^ ((product >> 7) * 0x11d)) ^ (((b >> bit) & 1) * a);
  return product;
}

function generator(degree) {
  let polynomial = [1];
  for (let i = 0, root = 1; i < degree; i++, root = times(root, 2)) {
    polynomial = [...polynomial, 0].map((one, j) => one ^ (j ? times(polynomial[j - 1], root) : 0));
  }
  return polynomial.slice(1);
}

function remainder(data, divisor) {
  const rest = divisor.map(() => 0);
  for (const word of data) {
    const factor = word ^ rest.shift();
    rest.push(0);
    divisor.forEach((one, i) => { rest[i] ^= times(one, factor); });
  }
  return rest;
}

function packed(bytes, version) {
  const bits = [];
  const push = (value, length) => { for (let i = length - 1; i >= 0; i--) bits.push((value >> i) & 1); };
  push(BYTE_MODE, 4);
  push(bytes.length, version < 10 ? 8 : 16);
  bytes.forEach((byte) => push(byte, 8));
  const most = dataWords(version) * 8;
  push(0, Math.min(4, most - bits.length));
  push(0, (8 - (bits.length % 8)) % 8);
  for (let pad = 0xec; bits.length < most; pad ^= 0xec ^ 0x11) push(pad, 8);
  return Array.from({ length: bits.length / 8 }, (_, i) => parseInt(bits.slice(i * 8, i * 8 + 8).join(""), 2));
}

/** Blocks with their error correction, taken in turns. */
function interleaved(data, version) {
  const count = BLOCKS[version - 1];
  const divisor = generator(CHECKS[version - 1]);
  const short = Math.floor(data.length / count);
  const blocks = [];
  for (let i = 0, at = 0; i < count; i++) {
    const length = short + (i < count - (data.length % count) ? 0 : 1);
    blocks.push(data.slice(at, at + length));
    at += length;
  }
  const checks = blocks.map((block) => remainder(block, divisor));
  const turns = (lists) => Array.from({ length: Math.max(...lists.map((list) => list.length)) }, (_, i) => lists.map((list) => list[i])).flat().filter((word) => word !== undefined);
  return [...turns(blocks), ...turns(checks)];
}

/** Bits with the remainder of a division by a polynomial behind them. */
function protectedBits(value, length, polynomial) {
  let rest = value;
  for (let i = 0; i < length; i++) rest = (rest << 1) ^ ((rest >> (length - 1)) * polynomial);
  return (value << length) | rest;
}

class Grid {
  constructor(version) {
    this.version = version;
    this.size = version * 4 + 17;
    this.dark = Array.from({ length: this.size }, () => new Array(this.size).fill(false));
    this.fixed = this.dark.map((row) => [...row]);
  }

  set(x, y, dark) {
    this.dark[y][x] = Boolean(dark);
    this.fixed[y][x] = true;
  }

  patterns() {
    const { size, version } = this;
    for (let i = 0; i < size; i++) {
      this.set(6, i, i % 2 === 0);
      this.set(i, 6, i % 2 === 0);
    }
    for (const [cx, cy] of [[3, 3], [size - 4, 3], [3, size - 4]]) this.square(cx, cy, 4, [0, 1, 3]);
    const centres = alignments(version);
    const last = centres.length - 1;
    centres.forEach((cx, i) => centres.forEach((cy, j) => {
      if (!((i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0))) this.square(cx, cy, 2, [0, 2]);
    }));
    this.format(0);
    if (version < 7) return;
    const bits = protectedBits(version, 12, 0x1f25);
    for (let i = 0; i < 18; i++) {
      const [a, b] = [size - 11 + (i % 3), Math.floor(i / 3)];
      this.set(a, b, (bits >> i) & 1);
      this.set(b, a, (bits >> i) & 1);
    }
  }

  square(cx, cy, reach, rings) {
    for (let y = Math.max(0, cy - reach); y <= Math.min(this.size - 1, cy + reach); y++) {
      for (let x = Math.max(0, cx - reach); x <= Math.min(this.size - 1, cx + reach); x++) {
        this.set(x, y, rings.includes(Math.max(Math.abs(x - cx), Math.abs(y - cy))));
      }
    }
  }

  /** Error correction M is 0 in these bits. */
  format(mask) {
    const bits = protectedBits(mask, 10, 0x537) ^ 0x5412;
    const bit = (i) => (bits >> i) & 1;
    for (let i = 0; i < 6; i++) this.set(8, i, bit(i));
    this.set(8, 7, bit(6));
    this.set(8, 8, bit(7));
    this.set(7, 8, bit(8));
    for (let i = 9; i < 15; i++) this.set(14 - i, 8, bit(i));
    for (let i = 0; i < 8; i++) this.set(this.size - 1 - i, 8, bit(i));
    for (let i = 8; i < 15; i++) this.set(8, this.size - 15 + i, bit(i));
    this.set(8, this.size - 8, true);
  }

  /** Two columns at a time, up and down in turns, from the right. */
  fill(words) {
    let i = 0;
    for (let right = this.size - 1; right >= 1; right -= 2) {
      if (right === 6) right = 5;
      for (let step = 0; step < this.size; step++) {
        const y = ((right + 1) & 2) === 0 ? this.size - 1 - step : step;
        for (const x of [right, right - 1]) {
          if (!this.fixed[y][x] && i < words.length * 8) {
            this.dark[y][x] = Boolean((words[i >> 3] >> (7 - (i & 7))) & 1);
            i++;
          }
        }
      }
    }
  }

  mask(number) {
    const turned = MASKS[number];
    this.dark.forEach((row, y) => row.forEach((_, x) => {
      if (!this.fixed[y][x] && turned(x, y) === 0) row[x] = !row[x];
    }));
    this.format(number);
  }

  /** How hard it is to read: long runs, blocks, what looks like a corner, more of one colour. */
  penalty() {
    const { size, dark } = this;
    let sum = 0;
    const line = (text) => {
      for (const run of text.match(/(.)\1{4,}/g) ?? []) sum += run.length - 2;
      for (let at = -1; (at = text.indexOf("1011101", at + 1)) >= 0;) {
        if (text.slice(Math.max(0, at - 4), at) === "0000" || text.slice(at + 7, at + 11) === "0000") sum += 40;
      }
    };
    for (let i = 0; i < size; i++) {
      line(dark[i].map(Number).join(""));
      line(dark.map((row) => Number(row[i])).join(""));
    }
    let all = 0;
    for (let y = 0; y < size; y++) {
      for (let x = 0; x < size; x++) {
        all += dark[y][x];
        if (x && y && dark[y][x] === dark[y - 1][x] && dark[y][x] === dark[y][x - 1] && dark[y][x] === dark[y - 1][x - 1]) sum += 3;
      }
    }
    return sum + 10 * Math.floor(Math.abs((all * 20) / (size * size) - 10));
  }
}

/** Rows of modules, true is dark; undefined for a text that is too long for any code. */
export function modules(text) {
  const bytes = [...new TextEncoder().encode(text)];
  const version = CHECKS.findIndex((_, i) => dataWords(i + 1) * 8 >= 4 + (i < 9 ? 8 : 16) + bytes.length * 8) + 1;
  if (!version) return undefined;
  const words = interleaved(packed(bytes, version), version);
  const grids = MASKS.map((_, mask) => {
    const grid = new Grid(version);
    grid.patterns();
    grid.fill(words);
    grid.mask(mask);
    return grid;
  });
  return grids.reduce((best, grid) => (grid.penalty() < best.penalty() ? grid : best)).dark;
}

/** Drawn dark on light in any theme, as readers want it. */
export function qrCode(text, label) {
  const rows = modules(text);
  if (!rows) return html`<p class="quiet small">This is too long for a QR code.</p>`;
  const size = rows.length + 2 * QUIET;
  const path = rows.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : ""))).join("");
  return html`<svg class="qr" role="img" aria-label=${label} width=${PIXELS * size} height=${PIXELS * size} viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">${svg`<rect width=${size} height=${size} fill="#fff"></rect><path d=${path} fill="#000"></path>`}</svg>`;
}
