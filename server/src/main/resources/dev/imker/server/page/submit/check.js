// What is wrong in a job file, and what would come of it.
import { html, nothing } from "../lit.js";
import { bytes, commandLine, number, plural } from "../format.js";
import "../components/graph.js";

export function findingList(findings, jump) {
  if (!findings.length) return nothing;
  return html`<ul class="list findings" aria-label="Mistakes">${findings.map((finding) => html`<li>
    ${finding.line ? html`<button class="small" @click=${() => jump(finding)}>line ${finding.line}</button>` : nothing}
    <span class="grow"><span class=${finding.severity === "ERROR" ? "bad" : "quiet"}>${finding.field ? html`<code>${finding.field}</code>: ` : nothing}${finding.message}</span>
      ${finding.fix ? html`<span class="quiet">${finding.fix}</span>` : nothing}</span></li>`)}</ul>
    ${findings.map((finding) => cycle(finding.message))}`;
}

/** A refused circle of stages, drawn. */
function cycle(message) {
  const found = /((?:[\w.-]+ (?:→|->) )+[\w.-]+)/.exec(message);
  const names = found?.[1].replace(/\.$/, "").split(/ (?:→|->) /) ?? [];
  if (names.length < 2 || names[0] !== names.at(-1)) return nothing;
  const nodes = [...new Set(names)].map((name) => ({ id: name, title: name, note: "waits for itself" }));
  const edges = names.slice(1).map((name, i) => ({ from: names[i], to: name, wrong: true }));
  return html`<imker-graph .nodes=${nodes} .edges=${edges} label="Stages that wait for each other in a circle"></imker-graph>`;
}

function stages(job) {
  if (job.stages.length < 2) return nothing;
  const nodes = job.stages.map((stage) => ({ id: stage.name, title: stage.name, note: plural(stage.tasks, "task") }));
  const known = new Set(nodes.map((node) => node.id));
  const edges = job.stages.flatMap((stage) => stage.after.map((one) => ({ from: one.replace(/ \(.*\)$/, ""), to: stage.name })))
    .filter((edge) => known.has(edge.from));
  return html`<imker-graph .nodes=${nodes} .edges=${edges} label="Stages of ${job.name || "the job"}"></imker-graph>`;
}

function plan(job) {
  return html`<section class="card stack"><div class="card-head"><h2>${job.name || "Unnamed job"}: ${plural(job.tasks, "task")}</h2>
    <span class="quiet small">project ${job.project}, priority ${job.priority}${job.files.length ? `, ${plural(job.files.length, "file")} of ${bytes(job.uploadBytes)}` : ""}</span></div>
    ${stages(job)}
    <div class="table-box" tabindex="0"><table><thead><tr><th scope="col">Stage</th><th scope="col" class="number">Tasks</th><th scope="col">First task</th>
      <th scope="col" class="optional">Last task</th><th scope="col" class="optional">Needs</th></tr></thead>
      <tbody>${job.stages.map((stage) => html`<tr><td>${stage.name || "–"}</td><td class="number">${number(stage.tasks)}</td>
        <td class="name"><code>${commandLine(stage.first)}</code></td><td class="name optional"><code>${stage.tasks > 1 ? commandLine(stage.last) : ""}</code></td>
        <td class="optional">${stage.needs || "any machine"}</td></tr>`)}</tbody></table></div></section>`;
}

export function preview(checked) {
  return checked?.jobs.length ? html`<div class="stack" aria-label="What would be created" role="region">${checked.jobs.map(plan)}</div>` : nothing;
}
