// Planner: what is known, what is wanted, and the way from one to the other.
import { html, nothing } from "../lit.js";
import { post, requestKey } from "../api.js";
import { duration, number, plural } from "../format.js";
import { go, setQuery } from "../router.js";
import { View } from "../components/view.js";
import { EXAMPLES } from "./examples.js";
import { actionsOf, bindingsOf, pddlOf, wordsOf } from "./actions.js";
import { levels, noPlan, plain, planGraph } from "./report.js";
import "../components/editor.js";

/** What was written stays while one looks elsewhere. */
let kept = EXAMPLES;

class Planner extends View {
  static properties = { query: { attribute: false }, texts: { state: true }, plan: { state: true }, refused: { state: true }, bindings: { state: true }, wrong: { state: true } };

  constructor() {
    super();
    this.query = {};
    this.texts = kept;
  }

  form() {
    return this.query.form === "pddl" ? "pddl" : "actions";
  }

  set(name, value) {
    this.texts = { ...this.texts, [this.form()]: { ...this.texts[this.form()], [name]: value } };
    kept = this.texts;
  }

  async run() {
    this.refused = undefined;
    this.busy = true;
    try {
      const texts = this.texts[this.form()];
      const asked = this.form() === "pddl" ? texts : { actions: actionsOf(texts.actions), has: wordsOf(texts.has), wants: wordsOf(texts.wants) };
      this.plan = await post("api/v1/plans", asked, { signal: this.aborter.signal });
      const planned = this.form() === "pddl" ? texts : pddlOf(asked);
      if (planned.domain !== this.planned?.domain) this.bindings = bindingsOf(planned.domain);
      this.planned = planned;
    } catch (error) {
      this.plan = undefined;
      this.refused = error;
    } finally {
      this.busy = false;
    }
  }

  /** Sent again, it is the same job. */
  async submit() {
    const order = { ...this.planned, bindings: this.bindings, plan: this.plan.steps.flat() };
    const text = JSON.stringify(order);
    this.wrong = undefined;
    if (this.wished !== text) [this.wished, this.wish] = [text, requestKey()];
    this.busy = true;
    try {
      const { job } = await post("api/v1/plans/jobs", order, { signal: this.aborter.signal, headers: { "Idempotency-Key": this.wish } });
      this.wished = undefined;
      go("job", [job]);
    } catch (error) {
      this.wrong = error;
    } finally {
      this.busy = false;
    }
  }

  renderRun() {
    return html`<section class="card stack" aria-labelledby="run-title"><div class="card-head"><h2 id="run-title">Run it</h2>
      <button class="primary" ?disabled=${this.busy} @click=${() => this.submit()}>Run as a job</button></div>
      <p class="quiet small">What each action does: a command, and whatever else a stage of a job file may have. <code>\${f}</code> stands for the object of the parameter <code>f</code>;
        <code>makes</code>, <code>uses</code> and <code>undo</code> hand files on and tidy up (<a href="docs/planner.md#plans-that-run">how</a>).</p>
      <imker-editor .text=${this.bindings} label="What the actions do" @edit=${(event) => { this.bindings = event.detail; this.wrong = undefined; }}></imker-editor>
      ${this.wrong ? html`<div class="problem" role="alert"><p class="explain">${this.wrong.message}</p></div>` : nothing}</section>`;
  }

  area(name, label, hint) {
    return html`<div class="stack small-gap"><h2>${label}</h2>${hint ? html`<p class="quiet small">${hint}</p>` : nothing}
      <imker-editor class=${name === "has" || name === "wants" ? "low" : ""} .text=${this.texts[this.form()][name]} label=${label} @edit=${(event) => this.set(name, event.detail)}></imker-editor></div>`;
  }

  renderForm() {
    return this.form() === "pddl"
      ? html`<div class="grid">${this.area("domain", "Domain")}${this.area("problem", "Problem")}</div>`
      : html`<div class="grid wide-left">${this.area("actions", "Actions", html`One per line: its name, what it needs, an arrow, what it makes true. <code>!</code> marks what is no longer true.`)}
          <div class="stack">${this.area("has", "Has", "What is known, separated by commas.")}${this.area("wants", "Wants", "What is to be reached, separated by commas.")}</div></div>`;
  }

  renderPlan() {
    const { status, millis, steps, method } = this.plan;
    if (status === "timeout") return html`<p class="note" role="status">No plan was found within the time limit. <code>imker plan --timeout</code> allows more.</p>`;
    if (status === "unsolvable") return html`<p class="note" role="status">${noPlan(this.plan)} <span class="quiet">Proved in ${duration(millis)} (${method}).</span></p>`;
    if (!steps.length) return html`<p class="note" role="status">There is nothing to do: everything wanted is known already.</p>`;
    const count = steps.reduce((sum, step) => sum + step.length, 0);
    return html`<section class="card stack" aria-labelledby="plan-title"><div class="card-head"><h2 id="plan-title">${plural(steps.length, "step")}, ${plural(count, "action")}</h2>
      <span class="quiet small">found in ${duration(millis)} (${method}); no plan has fewer steps</span></div>
      ${planGraph(this.plan)}
      <ol class="steps">${steps.map((step) => html`<li>${step.map((action) => html`<code>${plain(action)}</code> `)}</li>`)}</ol></section>`;
  }

  render() {
    const choose = (form) => { this.plan = undefined; this.refused = undefined; setQuery({ form }); };
    return html`<div class="page-head"><h1>Planner</h1>
      <div class="row" role="group" aria-label="Form of the problem">
        <button class="small" aria-pressed=${this.form() === "actions"} @click=${() => choose("")}>Has and wants</button>
        <button class="small" aria-pressed=${this.form() === "pddl"} @click=${() => choose("pddl")}>PDDL</button></div></div>
      <section class="card stack" aria-label="Problem">${this.renderForm()}
        <div><button class="primary" ?disabled=${this.busy} @click=${() => this.run()}>${this.busy ? "Planning…" : "Find a plan"}</button></div></section>
      ${this.refused ? html`<div class="problem" role="alert"><p>${this.refused.message}</p></div>` : nothing}
      ${this.plan ? this.renderPlan() : nothing}
      ${this.plan?.steps.length ? this.renderRun() : nothing}
      ${this.plan?.graph?.levels.at(-1).propositions ? levels(this.plan.graph, number) : nothing}`;
  }
}
customElements.define("imker-planner", Planner);
