// The plan as a graph, and the planning graph level by level.
import { html, nothing } from "../lit.js";
import "../components/graph.js";
import "../components/plot.js";

const SHOWN = 60;
const MOST_DRAWN = 150;

/** Who waits for whom. */
export function planGraph({ steps, edges }) {
  const actions = steps.flatMap((step, i) => step.map((action) => ({ action, step: i + 1 })));
  if (actions.length > MOST_DRAWN) return nothing;
  const nodes = actions.map(({ action, step }, i) => ({ id: i, title: action.replace(/^\(|\)$/g, ""), note: `step ${step}` }));
  const seen = new Map();
  for (const edge of edges) seen.set(`${edge.from} ${edge.to}`, { from: edge.from, to: edge.to, label: edge.literal });
  return html`<imker-graph .nodes=${nodes} .edges=${[...seen.values()]} label="Actions of the plan and what they wait for"></imker-graph>`;
}

function list(words) {
  if (!words.length) return html`<span class="quiet">nothing</span>`;
  return html`${words.slice(0, SHOWN).map((word) => html`<code>${word}</code> `)}${words.length > SHOWN ? html`<span class="quiet">and more</span>` : nothing}`;
}

export function levels(graph, number) {
  return html`<section class="card flush" aria-labelledby="levels-title"><header><h2 id="levels-title">Planning graph</h2>
    <span class="quiet small">${graph.goalPossible ? "At the last level all goals are possible together." : graph.levelledOff ? "It no longer changes, and the goals are not possible together." : "The first levels."}</span></header>
    <div class="table-box"><table><thead><tr><th scope="col" class="number">Level</th><th scope="col">New actions</th><th scope="col">New propositions</th>
      <th scope="col" class="number optional">Actions</th><th scope="col" class="number optional">Propositions</th><th scope="col" class="number">Mutexes</th></tr></thead>
      <tbody>${graph.levels.map((level) => html`<tr><td class="number">${level.number}</td><td>${level.number ? list(level.newActions) : ""}</td><td>${list(level.newPropositions)}</td>
        <td class="number optional">${number(level.actions)}</td><td class="number optional">${number(level.propositions)}</td><td class="number">${level.mutexes ? html`<details><summary>${number(level.mutexes)}</summary><div class="pairs">${list(level.excluding)}${level.mutexes > level.excluding.length ? html`<span class="quiet">and more</span>` : nothing}</div></details>` : "0"}</td></tr>`)}</tbody></table></div></section>`;
}
