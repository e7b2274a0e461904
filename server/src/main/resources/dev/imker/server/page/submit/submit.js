// Submit: a form and the job file side by side. The file is what counts; the form writes it.
import { html, nothing } from "../lit.js";
import { get, post, query as search, requestKey, text } from "../api.js";
import { bytes, plural } from "../format.js";
import { go, href } from "../router.js";
import { mayWork } from "../session.js";
import { View, empty } from "../components/view.js";
import { dropDraft, draft, keepDraft } from "./draft.js";
import { EMPTY_FORM, fromForm, jobForm } from "./form.js";
import { findingList, preview } from "./check.js";
import { fileBox, listed, upload } from "./files.js";
import { toast } from "../components/toast.js";
import "../components/editor.js";

const PAUSE_MILLIS = 300;
const RETRY_MILLIS = 3000;

class Submit extends View {
  static properties = {
    query: { attribute: false }, file: { state: true }, form: { state: true }, byHand: { state: true },
    checked: { state: true }, files: { state: true }, recent: { state: true }, stage: { state: true }, over: { state: true }, unchecked: { state: true },
  };

  constructor() {
    super();
    this.query = {};
    this.begin();
    Object.assign(this, draft());
  }

  /** An empty form. */
  begin() {
    this.form = EMPTY_FORM;
    this.file = fromForm(EMPTY_FORM);
    this.files = [];
    this.byHand = false;
  }

  discard() {
    dropDraft();
    this.begin();
  }

  enter() {
    this.load(async (signal) => { this.recent = (await get("api/v1/jobs?limit=15", { signal })).jobs; });
  }

  willUpdate(changed) {
    if (changed.has("query") && this.query.from && JSON.stringify(this.query) !== this.from) this.template(this.query);
    if (changed.has("file") || changed.has("files")) {
      this.checkSoon();
      this.wish = undefined;
      if (this.file !== fromForm(EMPTY_FORM) || this.files.length) keepDraft(this);
    }
  }

  disconnectedCallback() {
    clearTimeout(this.timer);
    super.disconnectedCallback();
  }

  /** An earlier job, or some of its tasks with other needs. */
  async template({ from, select, memory }) {
    const key = JSON.stringify(this.query);
    this.from = key;
    const file = await this.attempt(() => text(`api/v1/jobs/${encodeURIComponent(from)}/jobfile${search({ select, memory })}`));
    if (file === undefined || key !== this.from) return;
    this.file = file;
    this.byHand = true;
  }

  checkSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), PAUSE_MILLIS);
  }

  async check() {
    const { file, files } = this;
    const overtaken = () => file !== this.file || files !== this.files;
    if (!mayWork()) return;
    try {
      const checked = await post("api/v1/jobfiles/check", { text: file, name: "job.yaml", files: listed(files) });
      if (!overtaken()) this.checked = checked;
      this.unchecked = "";
    } catch (error) {
      if (overtaken()) return;
      if (error.status === 0) { // says nothing about the file
        this.unchecked = error.message;
        this.timer = setTimeout(() => this.check(), RETRY_MILLIS);
        return;
      }
      this.checked = { valid: false, findings: [{ severity: "ERROR", line: 0, column: 0, field: "", message: error.message, fix: "" }], jobs: [] };
    }
  }

  changeForm(form) {
    this.form = form;
    if (!this.byHand) this.file = fromForm(form);
  }

  async send() {
    if (this.busy) return;
    const made = await this.attempt(async () => {
      const stored = await upload(this.files, (stage) => { this.stage = stage; });
      this.stage = "Submitting";
      this.wish ??= requestKey();
      return post("api/v1/jobfiles", { text: this.file, name: "job.yaml", files: stored }, { headers: { "Idempotency-Key": this.wish } });
    }, (answer) => `${plural(answer.jobs.length, "job")} submitted.`);
    this.stage = undefined;
    made?.jobs.flatMap((job) => job.warnings ?? []).forEach((warning) => toast(warning, "error"));
    if (!made) return;
    dropDraft();
    go(...(made.jobs.length === 1 ? ["job", [made.jobs[0].id]] : ["jobs"]));
  }

  renderTemplates() {
    if (!this.recent?.length) return nothing;
    return html`<label class="templates"><span class="visually-hidden">Start from an earlier job</span>
      <select @change=${(event) => { if (event.target.value) go("submit", [], { from: event.target.value }); }}>
        <option value="">Start from an earlier job …</option>
        ${this.recent.map((job) => html`<option value=${job.id} ?selected=${String(job.id) === this.query.from}>${job.name} (job ${job.id})</option>`)}</select></label>`;
  }

  renderForm() {
    return html`<section class="card stack" aria-labelledby="form-title"><div class="card-head"><h2 id="form-title">Form</h2></div>
      ${this.byHand
        ? html`<p class="note">You have edited the file, so the form no longer writes it.
            <button class="small" @click=${() => { this.byHand = false; this.file = fromForm(this.form); }}>Replace the file by the form</button></p>`
        : jobForm(this.form, (form) => this.changeForm(form))}
      ${fileBox(this)}</section>`;
  }

  renderEditor() {
    const findings = this.checked?.findings ?? [];
    const errors = findings.filter((finding) => finding.severity === "ERROR");
    return html`<section class="card stack" aria-labelledby="file-title"><div class="card-head"><h2 id="file-title">Job file</h2>
      <span class="small ${errors.length || this.unchecked ? "bad" : "good"}" role="status">${this.unchecked ? "not checked: the server does not answer" : !this.checked ? "" : errors.length ? plural(errors.length, "mistake") : "no mistakes"}</span></div>
      <imker-editor .text=${this.file} .findings=${findings} label="Job file"
        @edit=${(event) => { this.byHand = true; this.file = event.detail; }}></imker-editor>
      ${findingList(findings, (finding) => this.querySelector("imker-editor").goTo(finding.line, finding.column))}</section>`;
  }

  render() {
    if (!mayWork()) return empty("Your role is read-only", "Ask an admin for the user role.");
    const size = this.files.reduce((sum, file) => sum + file.size, 0);
    return html`
      <div class="page-head"><h1>Submit a job</h1>${this.renderTemplates()}</div>
      ${this.problem()}
      <div class="grid">${this.renderForm()}${this.renderEditor()}</div>
      ${preview(this.checked)}
      <div class="row"><button class="primary" ?disabled=${!this.checked?.valid || this.busy} @click=${() => this.send()}>${this.stage ? `${this.stage}…` : "Submit"}</button>
        ${this.files.length ? html`<span class="quiet">${plural(this.files.length, "file")}, ${bytes(size)}</span>` : nothing}
        <a href=${href("jobs")} @click=${() => this.discard()}>Discard</a></div>`;
  }
}
customElements.define("imker-submit", Submit);
