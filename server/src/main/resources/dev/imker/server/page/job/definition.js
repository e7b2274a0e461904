// The job file a job could have come from.
import { html, nothing } from "../lit.js";
import { text } from "../api.js";
import { href } from "../router.js";
import { View, loading } from "../components/view.js";

const MOST_CHARS = 200000;

class Definition extends View {
  static properties = { job: { attribute: false }, file: { state: true } };

  enter() {
    this.load(async (signal) => { this.file = await text(`api/v1/jobs/${this.job.id}/jobfile`, { signal }); });
  }

  render() {
    if (this.error) return this.problem(() => this.enter());
    if (this.file === undefined) return loading("Reading the job file");
    return html`<section class="card stack"><div class="card-head"><h2>Job file</h2>
      <a class="button small" href=${href("submit", [], { from: this.job.id })}>Edit and resubmit</a></div>
      ${this.file.length > MOST_CHARS ? html`<p class="quiet">The file is long; this is its beginning.</p>` : nothing}
      <pre class="code-box" tabindex="0">${this.file.slice(0, MOST_CHARS)}</pre></section>`;
  }
}
customElements.define("imker-definition", Definition);
