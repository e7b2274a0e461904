// What differs between two runs of a job.

const MOST_LINES = 400;

/** Lines of two texts that are in only one of them, in their order: the longest common part is left out. */
export function lineChanges(one, other) {
  const [a, b] = [one.split("\n").slice(0, MOST_LINES), other.split("\n").slice(0, MOST_LINES)];
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i][j] = a[i] === b[j] ? common[i + 1][j + 1] + 1 : Math.max(common[i + 1][j], common[i][j + 1]);
    }
  }
  const changes = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      i++;
      j++;
    } else if (j === b.length || (i < a.length && common[i + 1][j] >= common[i][j + 1])) {
      changes.push({ sign: "−", line: a[i++] });
    } else {
      changes.push({ sign: "+", line: b[j++] });
    }
  }
  return changes;
}

export function means(rows) {
  const sums = new Map();
  for (const row of rows) {
    for (const [name, value] of Object.entries(row.metrics)) {
      const [sum, count] = sums.get(name) ?? [0, 0];
      sums.set(name, [sum + value, count + 1]);
    }
  }
  return new Map([...sums].map(([name, [sum, count]]) => [name, sum / count]));
}

export function change(before, after) {
  if (before === undefined || after === undefined || before === 0) return "–";
  const percent = (100 * (after - before)) / Math.abs(before);
  return `${percent > 0 ? "+" : percent < 0 ? "−" : ""}${Math.abs(percent).toFixed(1)} %`;
}

const keyOf = (task) => JSON.stringify([task.stage, task.params]);

function results(one, other) {
  if (!one.results.length && !other.results.length) return "none";
  const hashes = (task) => task.results.map((file) => `${file.path} ${file.sha256}`).sort().join("\n");
  return hashes(one) === hashes(other) ? "the same" : "differ";
}

/** Tasks of both runs that have the same stage and parameters; those first that differ in outcome, results or metrics. */
export function matched(one, other) {
  const metrics = [one, other].map((run) => new Map(run.metrics.rows.map((row) => [row.task, row.metrics])));
  const known = new Map(other.tasks.map((task) => [keyOf(task), task]));
  const pairs = [];
  for (const task of one.tasks) {
    const twin = known.get(keyOf(task));
    if (!twin) continue;
    known.delete(keyOf(task));
    const both = [metrics[0].get(task.number) ?? {}, metrics[1].get(twin.number) ?? {}];
    const pair = {
      words: Object.entries(task.params).map(([name, value]) => `${name}=${value}`).join(" ") || task.stage || `task ${task.number}`,
      states: [task.state, twin.state], numbers: [task.number, twin.number], results: results(task, twin), metrics: both,
    };
    pair.weight = (task.state === twin.state ? 0 : 1e9) + (pair.results === "differ" ? 1e6 : 0) + distance(...both);
    pairs.push(pair);
  }
  pairs.sort((a, b) => b.weight - a.weight);
  return { pairs, alone: [one.tasks.length - pairs.length, known.size] };
}

/** How far printed metrics are apart, relative to their size; durations always differ a little. */
function distance(one, other) {
  return Object.keys(one).filter((name) => name !== "duration" && other[name] !== undefined)
    .reduce((sum, name) => sum + Math.abs(one[name] - other[name]) / (Math.abs(one[name]) + Math.abs(other[name]) || 1), 0);
}
