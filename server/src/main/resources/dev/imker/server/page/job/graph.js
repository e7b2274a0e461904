// The stages of a job: what waits for what, how far each is, and the chain that decides the end.
import { html } from "../lit.js";
import { get, query as search } from "../api.js";
import { number } from "../format.js";
import { setQuery } from "../router.js";
import { View, loading } from "../components/view.js";
import { edgesOf, stageNode, taskNodes } from "./opened.js";
import "../components/graph.js";

/** Of an opened stage, those come first that somebody may want to look at. */
const SHOWN_FIRST = ["FAILED,AUTO_BLOCKED", "RUNNING", ""];
const MOST_TASKS = 12;

/** The chain of stages that takes longest, by how long their tasks run. */
export function criticalPath(stages) {
  const byName = new Map(stages.map((stage) => [stage.name, stage]));
  const best = new Map();
  const visit = (stage) => {
    if (best.has(stage.name)) return best.get(stage.name);
    best.set(stage.name, { millis: 0, path: [] });
    let longest = { millis: 0, path: [] };
    for (const { stage: name } of stage.after) {
      const before = byName.has(name) ? visit(byName.get(name)) : undefined;
      if (before && before.millis >= longest.millis) longest = before;
    }
    const found = { millis: longest.millis + (stage.meanMillis ?? 1), path: [...longest.path, stage.name] };
    best.set(stage.name, found);
    return found;
  };
  return stages.map(visit).reduce((a, b) => (b.millis > a.millis ? b : a), { millis: 0, path: [] }).path;
}

const shortened = (path) => (path.length <= 8 ? path : [...path.slice(0, 4), "…", ...path.slice(-3)]).join(" → ");

class JobGraph extends View {
  static properties = { job: { attribute: false }, version: {}, stages: { state: true }, opened: { state: true } };

  constructor() {
    super();
    this.opened = new Map();
  }

  willUpdate(changed) {
    if (changed.has("version") || changed.has("job")) this.reread();
  }

  async read() {
    const graph = await this.load((signal) => get(`api/v1/jobs/${this.job.id}/graph`, { signal }));
    if (!graph) return;
    this.stages = graph.stages;
    this.readOpened();
  }

  async readOpened() {
    const opened = new Map();
    for (const name of this.opened.keys()) {
      const stage = this.stages.find((one) => one.name === name);
      if (stage) opened.set(name, await this.load((signal) => this.someTasks(stage, signal)) ?? []);
    }
    if (opened.size) this.opened = opened;
  }

  /** A few tasks of a stage, in the order of their numbers. */
  async someTasks(stage, signal) {
    const found = new Map();
    for (const state of SHOWN_FIRST) {
      if (found.size >= MOST_TASKS) break;
      const { tasks } = await get(`api/v1/jobs/${this.job.id}/tasks${search({ state, from: stage.first, limit: MOST_TASKS })}`, { signal });
      for (const task of tasks) {
        if (task.number < stage.first + stage.tasks && found.size < MOST_TASKS) found.set(task.number, task);
      }
    }
    return [...found.values()].sort((a, b) => a.number - b.number);
  }

  /** A stage opens into its tasks and closes again; a task is looked into. */
  async pick({ task, stage }) {
    if (task || stage?.tasks === 1) {
      setQuery({ tab: "tasks", task: task?.number ?? stage.first, number: task?.number ?? stage.first, state: "" });
    } else if (stage) {
      const opened = new Map(this.opened);
      if (!opened.delete(stage.name)) opened.set(stage.name, await this.load((signal) => this.someTasks(stage, signal)) ?? []);
      this.opened = opened;
    }
  }

  render() {
    if (this.error) return this.problem(() => this.read());
    if (!this.stages) return loading("Reading the graph");
    const path = this.stages.length > 1 ? criticalPath(this.stages) : [];
    const others = this.stages.flatMap((stage) => stage.after.filter((one) => !one.stage).map((one) => one.tasks));
    const nodes = [
      ...[...new Set(others)].map((tasks) => ({ id: `tasks ${tasks}`, title: `tasks ${tasks}`, note: "of other jobs" })),
      ...this.stages.flatMap((stage) => [stageNode(stage, path.includes(stage.name), this.opened.get(stage.name)),
        ...taskNodes(stage, this.opened.get(stage.name) ?? [])])];
    return html`<section class="card stack"><div class="card-head"><h2>${this.stages.length === 1 ? "One stage" : `${number(this.stages.length)} stages`}</h2>
      ${path.length > 1 ? html`<span class="quiet small">In bold, the chain that takes longest: ${shortened(path)}.</span>` : ""}</div>
      <imker-graph .nodes=${nodes} .edges=${edgesOf(this.stages, this.opened, path)} label="Stages of the job and what they wait for" @pick=${({ detail }) => this.pick(detail)}></imker-graph>
      <p class="quiet small">Select a stage to show its tasks, or a task to open it. Ctrl and the mouse wheel zoom.</p></section>`;
  }
}
customElements.define("imker-job-graph", JobGraph);
