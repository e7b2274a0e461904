// The stages of a job: what waits for what, how far each is, and the chain that decides the end.
import { html } from "../lit.js";
import { get } from "../api.js";
import { duration, number, words } from "../format.js";
import { setQuery } from "../router.js";
import { STATES } from "../components/status.js";
import { View, loading } from "../components/view.js";
import "../components/graph.js";

const MATCHING = { ALL: "", EACH: "each", PARAMS: "same parameters" };

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

const title = (stage) => stage.name || "all tasks";

function node(stage, critical) {
  const bar = stage.counts
    ? STATES.filter((state) => stage.counts[state] > 0).map((state) => [words(state), stage.counts[state] / stage.tasks]) : [];
  const progress = stage.counts ? `${number(stage.counts.done)} of ${number(stage.tasks)} done` : `${number(stage.tasks)} tasks`;
  return {
    id: stage.name, title: title(stage), bar, critical, stage, hint: stage.command,
    note: stage.meanMillis == null ? progress : `${progress}, ${duration(stage.meanMillis)} each`,
  };
}

class JobGraph extends View {
  static properties = { job: { attribute: false }, version: {}, stages: { state: true } };

  willUpdate(changed) {
    if (changed.has("version") || changed.has("job")) this.read();
  }

  async read() {
    if (this.reading) return;
    this.reading = true;
    const graph = await this.load((signal) => get(`/api/v1/jobs/${this.job.id}/graph`, { signal }));
    this.reading = false;
    if (graph) this.stages = graph.stages;
  }

  render() {
    if (this.error) return this.problem(() => this.read());
    if (!this.stages) return loading("Reading the graph");
    const path = this.stages.length > 1 ? criticalPath(this.stages) : [];
    const others = this.stages.flatMap((stage) => stage.after.filter((one) => !one.stage).map((one) => one.tasks));
    const nodes = [
      ...[...new Set(others)].map((tasks) => ({ id: `tasks ${tasks}`, title: `tasks ${tasks}`, note: "of other jobs" })),
      ...this.stages.map((stage) => node(stage, path.includes(stage.name)))];
    const edges = this.stages.flatMap((stage) => stage.after.map((one) => ({
      from: one.stage || `tasks ${one.tasks}`, to: stage.name, label: MATCHING[one.matching],
      critical: path.indexOf(stage.name) > 0 && path[path.indexOf(stage.name) - 1] === one.stage })));
    const pick = ({ detail }) => { if (detail.stage) setQuery({ tab: "tasks", number: detail.stage.first, state: "" }); };
    return html`<section class="card stack"><div class="card-head"><h2>${this.stages.length === 1 ? "One stage" : `${number(this.stages.length)} stages`}</h2>
      ${path.length > 1 ? html`<span class="quiet small">The chain that takes longest is drawn bold: ${path.join(" → ")}.</span>` : ""}</div>
      <imker-graph .nodes=${nodes} .edges=${edges} label="Stages of the job and what they wait for" @pick=${pick}></imker-graph>
      <p class="quiet small">Choose a stage to see its tasks.</p></section>`;
  }
}
customElements.define("imker-job-graph", JobGraph);
