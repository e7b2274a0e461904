// Planner: what is known, what is wanted, and the way from one to the other.
import { html, nothing } from "../lit.js";
import { post, requestKey } from "../api.js";
import { duration, number, plural } from "../format.js";
import { go, setQuery } from "../router.js";
import { View } from "../components/view.js";
import { EXAMPLES } from "./examples.js";
import { actionsOf, commandsOf, orderOf, wordsOf } from "./actions.js";
import { levels, planGraph } from "./report.js";
import "../components/editor.js";

class Planner extends View {
  static properties = { query: { attribute: false }, texts: { state: true }, plan: { state: true }, refused: { state: true }, commands: { state: true }, replan: { state: true } };

  constructor() {
    super();
    this.query = {};
    this.texts = structuredClone(EXAMPLES);
  }

  form() {
    return this.query.form === "pddl" ? "pddl" : "actions";
  }

  set(name, value) {
    this.texts = { ...this.texts, [this.form()]: { ...this.texts[this.form()], [name]: value } };
  }

  async run() {
    this.refused = undefined;
    const texts = this.texts[this.form()];
    this.busy = true;
    try {
      const body = this.form() === "pddl" ? texts
        : { actions: actionsOf(texts.actions), has: wordsOf(texts.has), wants: wordsOf(texts.wants) };
      this.plan = await post("api/v1/plans", body, { signal: this.aborter.signal });
    } catch (error) {
      this.plan = undefined;
      this.refused = error;
    } finally {
      this.busy = false;
    }
  }

  async submit() {
    this.refused = undefined;
    this.busy = true;
    try {
      const order = orderOf(this.texts.pddl, this.commands ?? commandsOf(this.texts.pddl.domain), this.replan ?? true, this.plan.steps.flat());
      const text = JSON.stringify(order);
      if (this.wished !== text) [this.wished, this.wish] = [text, requestKey()]; // sent again, it is the same job
      const { job } = await post("api/v1/plans/jobs", order, { signal: this.aborter.signal, headers: { "Idempotency-Key": this.wish } });
      this.wished = undefined;
      go("job", [job]);
    } catch (error) {
      this.refused = error;
    } finally {
      this.busy = false;
    }
  }

  renderRun() {
    const text = this.commands ?? commandsOf(this.texts.pddl.domain);
    return html`<section class="card stack" aria-label="Run the plan"><h2>Run it</h2>
      <p class="quiet small">A command for each action, one in a line; <code>\${f}</code> stands for the object of the parameter <code>?f</code>. <code>imker plan --bind</code> can do more.</p>
      <imker-editor class="low" .text=${text} label="Commands" @edit=${(event) => { this.commands = event.detail; }}></imker-editor>
      <label class="row"><input type="checkbox" .checked=${this.replan ?? true} @change=${(event) => { this.replan = event.target.checked; }}> Look for another plan when an action fails for good</label>
      <div><button ?disabled=${this.busy} @click=${() => this.submit()}>Run as a job</button></div></section>`;
  }

  area(name, label, hint) {
    return html`<div class="stack small-gap"><h2>${label}</h2>${hint ? html`<p class="quiet small">${hint}</p>` : nothing}
      <imker-editor class=${name === "has" || name === "wants" ? "low" : ""} .text=${this.texts[this.form()][name]} label=${label} @edit=${(event) => this.set(name, event.detail)}></imker-editor></div>`;
  }

  renderForm() {
    return this.form() === "pddl"
      ? html`<div class="grid">${this.area("domain", "Domain")}${this.area("problem", "Problem")}</div>`
      : html`<div class="grid wide-left">${this.area("actions", "Actions", html`One in a line: what it needs, an arrow, what it brings about. <code>!</code> marks what is no longer true.`)}
          <div class="stack">${this.area("has", "Has", "What is known, separated by commas.")}${this.area("wants", "Wants", "What is to be reached.")}</div></div>`;
  }

  renderPlan() {
    const { status, millis, steps, method, why } = this.plan;
    if (status === "timeout") return html`<p class="note" role="status">There was no answer within the time limit. <code>imker plan --timeout</code> takes longer.</p>`;
    if (status === "unsolvable") return html`<p class="note" role="status">There is no plan${why ? `: ${why}` : ""}. Proved in ${duration(millis)} (${method}).</p>`;
    const count = steps.reduce((sum, step) => sum + step.length, 0);
    return html`<section class="card stack" aria-labelledby="plan-title"><div class="card-head"><h2 id="plan-title">${plural(steps.length, "step")}, ${plural(count, "action")}</h2>
      <span class="quiet small">found in ${duration(millis)} (${method}); no plan has fewer steps</span></div>
      ${planGraph(this.plan)}
      <ol class="steps">${steps.map((step) => html`<li>${step.map((action) => html`<code>${action}</code> `)}</li>`)}</ol></section>`;
  }

  render() {
    const choose = (form) => { this.plan = undefined; this.refused = undefined; this.commands = undefined; setQuery({ form }); };
    return html`<div class="page-head"><h1>Planner</h1>
      <div class="row" role="group" aria-label="Form of the problem">
        <button class="small" aria-pressed=${this.form() === "actions"} @click=${() => choose("")}>Has and wants</button>
        <button class="small" aria-pressed=${this.form() === "pddl"} @click=${() => choose("pddl")}>PDDL</button></div></div>
      <section class="card stack" aria-label="Problem">${this.renderForm()}
        <div><button class="primary" ?disabled=${this.busy} @click=${() => this.run()}>${this.busy ? "Planning…" : "Find a plan"}</button></div></section>
      ${this.refused ? html`<div class="problem" role="alert"><p>${this.refused.message}</p></div>` : nothing}
      ${this.plan ? this.renderPlan() : nothing}
      ${this.form() === "pddl" && this.plan?.steps.length ? this.renderRun() : nothing}
      ${this.plan?.graph ? levels(this.plan.graph, number) : nothing}`;
  }
}
customElements.define("imker-planner", Planner);
