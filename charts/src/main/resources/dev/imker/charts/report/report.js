'use strict';
// Draws the courses of the report: hover tells values, dragging zooms, a double click shows all.
(() => {
  const courses = JSON.parse(document.getElementById('courses').textContent);
  const place = document.getElementById('plot');
  const SVG = 'http://www.w3.org/2000/svg';
  const W = 1000, H = 460, LEFT = 78, RIGHT = 12, TOP = 12, SPLIT = 310, LOWER = 335, BOTTOM = 430;
  const state = { course: 0, log: false, held: true, trades: false, from: 0, to: 0 };

  const element = (name, attributes, text) => {
    const made = document.createElementNS(SVG, name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const date = day => new Date(Math.round(day * 86400) * 1000).toISOString()
    .slice(0, Number.isInteger(day) ? 10 : 16).replace('T', ' ');
  const money = value => value.toLocaleString('en', { maximumFractionDigits: 2 });
  const percent = value => (100 * value).toFixed(1) + ' %';
  const falls = curve => {
    let peak = -Infinity;
    return curve.map(value => { peak = Math.max(peak, value); return peak > 0 ? value / peak - 1 : 0; });
  };

  function ticks(low, high, log) {
    if (log) {
      const found = [];
      for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
        for (const digit of [1, 2, 5]) found.push(digit * 10 ** power);
      const inside = found.filter(value => value >= low && value <= high);
      return inside.length > 1 ? inside : [low, high];
    }
    const raw = (high - low) / 5 || 1, power = 10 ** Math.floor(Math.log10(raw));
    const step = power * [1, 2, 5, 10].find(digit => digit * power >= raw * 0.999);
    const found = [];
    for (let value = Math.ceil(low / step) * step; value <= high; value += step) found.push(value);
    return found;
  }

  // With more values than pixels, the extremes of each pixel.
  function line(values, from, to, x, y) {
    const per = Math.max(1, Math.floor((to - from) / 1200)), points = [];
    for (let i = from; i <= to; i += per) {
      let low = i, high = i;
      for (let k = i; k < Math.min(to + 1, i + per); k++) {
        if (values[k] < values[low]) low = k;
        if (values[k] > values[high]) high = k;
      }
      for (const k of low < high ? [low, high] : low > high ? [high, low] : [low])
        points.push(x(k).toFixed(1) + ',' + y(values[k]).toFixed(1));
    }
    return points.join(' ');
  }

  function draw() {
    const course = courses[state.course], from = state.from, to = state.to;
    const shown = course.account.slice(from, to + 1)
      .concat(state.held ? course.held.slice(from, to + 1) : []).filter(v => !state.log || v > 0);
    let low = Math.min(...shown), high = Math.max(...shown);
    if (!(high > low)) { high = low * 1.01 + 1e-9; low = low * 0.99; }
    const scale = state.log ? Math.log : value => value;
    const x = i => LEFT + (W - LEFT - RIGHT) * (i - from) / Math.max(1, to - from);
    const y = v => SPLIT - (SPLIT - TOP) * (scale(Math.max(v, state.log ? low : v)) - scale(low)) / (scale(high) - scale(low));
    const deep = falls(course.account), lowest = Math.min(-1e-6, ...deep.slice(from, to + 1));
    const z = v => LOWER + (BOTTOM - LOWER) * v / lowest;
    const svg = element('svg', { viewBox: `0 0 ${W} ${H}`, role: 'img', 'aria-label': course.name });
    for (const value of ticks(low, high, state.log)) {
      svg.append(element('line', { x1: LEFT, x2: W - RIGHT, y1: y(value), y2: y(value), stroke: 'var(--faint)' }));
      svg.append(element('text', { x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end', 'font-size': 11, fill: 'currentColor' }, money(value)));
    }
    for (const value of [0, lowest])
      svg.append(element('text', { x: LEFT - 6, y: z(value) + 4, 'text-anchor': 'end', 'font-size': 11, fill: 'currentColor' }, percent(value)));
    const labels = Number.isInteger(course.days[from]) && Number.isInteger(course.days[to]) ? 6 : 4;
    for (let k = 0; k <= labels; k++) {
      const i = Math.round(from + (to - from) * k / labels);
      svg.append(element('text', { x: x(i), y: H - 8, 'text-anchor': k === 0 ? 'start' : k === labels ? 'end' : 'middle', 'font-size': 11, fill: 'currentColor' }, date(course.days[i])));
    }
    svg.append(element('polygon', { points: `${x(from)},${z(0)} ` + line(deep, from, to, x, z) + ` ${x(to)},${z(0)}`, fill: 'var(--loss)', opacity: .45 }));
    if (state.held) svg.append(element('polyline', { points: line(course.held, from, to, x, y), fill: 'none', stroke: 'var(--held)', 'stroke-width': 1.4 }));
    svg.append(element('polyline', { points: line(course.account, from, to, x, y), fill: 'none', stroke: 'var(--account)', 'stroke-width': 1.6 }));
    if (state.trades) for (const [bar, won, what] of course.exits) {
      if (bar < from || bar > to) continue;
      const dot = element('circle', { cx: x(bar), cy: y(course.account[bar]), r: 3, fill: won ? 'var(--gain)' : 'var(--loss)' });
      dot.append(element('title', {}, what));
      svg.append(dot);
    }
    const cross = element('line', { y1: TOP, y2: BOTTOM, stroke: 'currentColor', opacity: 0 });
    const band = element('rect', { y: TOP, height: BOTTOM - TOP, fill: 'var(--account)', opacity: .15, width: 0 });
    svg.append(cross, band);
    const bar = event => {
      const box = svg.getBoundingClientRect();
      const at = (event.clientX - box.left) / box.width * W;
      return Math.max(from, Math.min(to, Math.round(from + (at - LEFT) / (W - LEFT - RIGHT) * (to - from))));
    };
    let begun = -1;
    svg.onpointermove = event => {
      const i = bar(event);
      cross.setAttribute('x1', x(i)); cross.setAttribute('x2', x(i)); cross.setAttribute('opacity', .5);
      told.textContent = `${date(course.days[i])}: account ${money(course.account[i])}, buy and hold ${money(course.held[i])}, draw-down ${percent(deep[i])}`;
      if (begun >= 0) {
        band.setAttribute('x', Math.min(x(begun), x(i)));
        band.setAttribute('width', Math.abs(x(i) - x(begun)));
      }
    };
    svg.onpointerdown = event => { begun = bar(event); };
    svg.onpointerup = event => {
      const end = bar(event), first = Math.min(begun, end), last = Math.max(begun, end);
      if (begun >= 0 && last - first > 3) { state.from = first; state.to = last; }
      begun = -1;
      draw();
    };
    svg.ondblclick = () => show(state.course);
    picture.replaceChildren(svg);
  }

  function show(index) {
    state.course = index;
    state.from = 0;
    state.to = courses[index].days.length - 1;
    draw();
  }

  const controls = document.createElement('div');
  controls.className = 'controls';
  if (courses.length > 1) {
    const select = document.createElement('select');
    courses.forEach((course, i) => select.add(new Option(course.name, i)));
    select.onchange = () => show(Number(select.value));
    controls.append(select);
  }
  for (const [key, words] of [['log', 'log scale'], ['held', 'buy and hold (grey)'], ['trades', 'ends of trades']]) {
    const label = document.createElement('label'), box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = state[key];
    box.onchange = () => { state[key] = box.checked; draw(); };
    label.append(box, ' ' + words);
    controls.append(label);
  }
  const told = document.createElement('p');
  told.className = 'quiet';
  told.textContent = 'Hover for values, drag to zoom, double-click for all.';
  const picture = document.createElement('div');
  place.replaceChildren(controls, picture, told);
  if (courses.length > 0) show(0);

  document.querySelectorAll('th.sortable').forEach(head => {
    head.onclick = () => {
      const table = head.closest('table'), column = [...head.parentNode.children].indexOf(head);
      const down = head.dataset.down !== 'yes';
      head.dataset.down = down ? 'yes' : 'no';
      const value = row => {
        const text = row.children[column].textContent, number = parseFloat(text.replace(/,/g, ''));
        return /^-?[\d.,]+( %)?$/.test(text) && !isNaN(number) ? number : text;
      };
      const rows = [...table.tBodies[0].rows].sort((a, b) => {
        const one = value(a), two = value(b);
        const order = typeof one === 'number' && typeof two === 'number' ? one - two : String(one).localeCompare(String(two));
        return down ? -order : order;
      });
      table.tBodies[0].replaceChildren(...rows);
    };
  });
})();
