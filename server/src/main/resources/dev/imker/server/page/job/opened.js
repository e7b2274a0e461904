// What a graph of stages is drawn of: a node for each stage with its counts, and the tasks of those that are opened.
import { duration, number, words } from "../format.js";
import { STATES, apart, stateOf } from "../components/status.js";

const MATCHING = { ALL: "", EACH: "each", PARAMS: "same parameters" };
const taskId = (stage, task) => `${stage.name} task ${task.number}`;

/** A stage; `tasks` are those shown of it if it is open. */
export function stageNode(stage, critical, tasks) {
  const bar = stage.counts
    ? STATES.filter((state) => apart(stage.counts)[state] > 0).map((state) => [words(state), apart(stage.counts)[state] / stage.tasks]) : [];
  const progress = stage.counts ? `${number(stage.counts.done)} of ${number(stage.tasks)} done` : `${number(stage.tasks)} tasks`;
  const more = tasks ? stage.tasks - tasks.length : 0;
  return {
    id: stage.name, title: stage.name || "all tasks", bar, critical, stage, hint: stage.command, open: stage.tasks > 1 ? String(Boolean(tasks)) : undefined,
    note: more > 0 ? `${progress}, ${number(more)} not shown` : stage.meanMillis == null ? progress : `${progress}, ${duration(stage.meanMillis)} each`,
  };
}

export function taskNodes(stage, tasks) {
  return tasks.map((task) => ({
    id: taskId(stage, task), title: Object.entries(task.params).map(([name, value]) => `${name}=${value}`).join(" ") || `task ${task.number}`,
    note: `${task.number}: ${words(stateOf(task))}${task.node ? ` on ${task.node}` : ""}`, bar: [[words(stateOf(task)), 1]], task, kind: "task",
  }));
}

/** Whether one task waits for the other, where both are shown. */
function belong(matching, before, task, first, second) {
  if (matching === "ALL") return true;
  if (matching === "EACH") return before.number - first.first === task.number - second.first;
  return Object.entries(before.params).every(([name, value]) => !(name in task.params) || task.params[name] === value);
}

/** Edges between stages; where one is open, to and from its tasks as well. */
export function edgesOf(stages, opened, path) {
  const byName = new Map(stages.map((stage) => [stage.name, stage]));
  const critical = (from, to) => path.indexOf(to) > 0 && path[path.indexOf(to) - 1] === from;
  return stages.flatMap((stage) => {
    const tasks = opened.get(stage.name) ?? [];
    const own = stage.after.flatMap((one) => {
      const from = one.stage || `tasks ${one.tasks}`;
      const before = byName.get(one.stage);
      const earlier = (before && opened.get(one.stage)) ?? [];
      const label = MATCHING[one.matching];
      return [{ from, to: stage.name, label, critical: critical(one.stage, stage.name) },
        ...(earlier.length ? [] : tasks.map((task) => ({ from, to: taskId(stage, task), label }))),
        ...(tasks.length ? [] : earlier.map((task) => ({ from: taskId(before, task), to: stage.name, label }))),
        ...earlier.flatMap((first) => tasks.filter((task) => belong(one.matching, first, task, before, stage))
          .map((task) => ({ from: taskId(before, first), to: taskId(stage, task), label })))];
    });
    return own;
  });
}
