// The plan as a graph, and the planning graph level by level.
import { html, nothing } from "../lit.js";
import "../components/graph.js";
import "../components/plot.js";

const SHOWN = 60;
const MOST_DRAWN = 150;

/** (at f1 paris) reads at f1 paris, and (Table) Table. */
export const plain = (fact) => fact.replace(/^\(([^()]*)\)$/, "$1");

/** Who waits for whom. */
export function planGraph({ steps, edges }) {
  const actions = steps.flatMap((step, i) => step.map((action) => ({ action, step: i + 1 })));
  if (actions.length > MOST_DRAWN) return nothing;
  const nodes = actions.map(({ action, step }, i) => ({ id: i, title: plain(action), note: `step ${step}` }));
  const seen = new Map();
  for (const edge of edges) seen.set(`${edge.from} ${edge.to}`, { from: edge.from, to: edge.to, label: edge.literal });
  return html`<imker-graph .nodes=${nodes} .edges=${[...seen.values()]} label="Actions of the plan and what they wait for"></imker-graph>`;
}

const either = (facts, word) => facts.map(plain).join(", ").replace(/, ([^,]*)$/, ` ${word} $1`);

/** Why there is no plan, as far as that is known. */
export function noPlan({ unreachable, missing, why }) {
  if (!unreachable.length) return why ? `There is no plan: ${why}.` : "There is no plan: the actions lead to no state in which all that is wanted holds.";
  return html`<strong>${either(unreachable, "and")} cannot be reached.</strong>
    ${missing.length ? `No action makes ${either(missing, "or")}, and ${missing.length === 1 ? "it is not" : "none of them is"} known.` : nothing}`;
}

function list(words) {
  if (!words.length) return html`<span class="quiet">nothing</span>`;
  return html`${words.slice(0, SHOWN).map((word) => html`<code>${plain(word)}</code> `)}${words.length > SHOWN ? html`<span class="quiet">and more</span>` : nothing}`;
}

export function levels(graph, number) {
  return html`<section class="card flush" aria-labelledby="levels-title"><header><h2 id="levels-title">Planning graph</h2>
    <span class="quiet small">${graph.goalPossible ? "At the last level all goals are possible together." : graph.levelledOff ? "It no longer changes, and the goals are not possible together." : "The first levels."}</span></header>
    <div class="table-box" tabindex="0"><table><thead><tr><th scope="col" class="number">Level</th><th scope="col">New actions</th><th scope="col">New propositions</th>
      <th scope="col" class="number optional">Actions</th><th scope="col" class="number optional">Propositions</th><th scope="col" class="number">Mutexes</th></tr></thead>
      <tbody>${graph.levels.map((level) => html`<tr><td class="number">${level.number}</td><td>${level.number ? list(level.newActions) : ""}</td><td>${list(level.newPropositions)}</td>
        <td class="number optional">${number(level.actions)}</td><td class="number optional">${number(level.propositions)}</td><td class="number">${level.mutexes ? html`<details><summary>${number(level.mutexes)}</summary><div class="pairs">${list(level.excluding)}${level.mutexes > level.excluding.length ? html`<span class="quiet">and more</span>` : nothing}</div></details>` : "0"}</td></tr>`)}</tbody></table></div></section>`;
}
