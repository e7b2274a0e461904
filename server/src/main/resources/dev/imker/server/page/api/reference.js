// The REST interface, as the running server describes it: every route, what it takes, who may call it.
import { html, nothing, repeat } from "../lit.js";
import { get } from "../api.js";
import { plural } from "../format.js";
import { setQuery } from "../router.js";
import { View, empty, loading } from "../components/view.js";

const WHO = { look: "everybody with an account", work: "users", admin: "admins", agent: "agents", task: "running tasks", open: "anybody" };

const typeOf = (schema = {}) => {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.type === "array") return `${typeOf(schema.items)}[]`;
  return schema.enum ? schema.enum.join(" | ") : [].concat(schema.type ?? "anything").join(" or ");
};

function bounds({ minimum, maximum, default: usual } = {}) {
  return [minimum !== undefined || maximum !== undefined ? `${minimum ?? "…"} to ${maximum ?? "…"}` : "", usual !== undefined ? `${usual} if not given` : ""]
    .filter(Boolean).join(", ");
}

/** Every operation as a line of text to search, and what is shown of it. */
function operations(document) {
  return Object.entries(document.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, one]) => ({
    ...one, path, method: method.toUpperCase(), tag: one.tags?.[0] ?? "other", text: `${method} ${path} ${one.summary} ${one.operationId}`.toLowerCase(),
  })));
}

class Reference extends View {
  static properties = { query: { attribute: false }, all: { state: true } };

  constructor() {
    super();
    this.query = {};
  }

  enter() {
    this.load(async (signal) => { this.all = operations(await get("api/v1/openapi.json", { signal })); });
  }

  renderValues(title, values) {
    if (!values.length) return nothing;
    return html`<div class="table-box" tabindex="0"><table class="dense"><thead><tr><th scope="col">${title}</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
      <tbody>${values.map(({ name, schema, description = "", required }) => html`<tr><td><code>${name}</code>${required ? nothing : html` <span class="quiet small">optional</span>`}</td>
        <td><code>${typeOf(schema)}</code></td><td>${description}${bounds(schema) ? html` <span class="quiet small">${bounds(schema)}</span>` : nothing}</td></tr>`)}</tbody></table></div>`;
  }

  renderBody({ requestBody }) {
    const schema = Object.values(requestBody?.content ?? {})[0]?.schema;
    if (!schema) return nothing;
    const fields = Object.entries(schema.properties ?? {}).map(([name, one]) => ({ name, schema: one, description: one.description, required: schema.required?.includes(name) }));
    return fields.length ? this.renderValues("Field of the body", fields) : html`<p>Takes <code>${Object.keys(requestBody.content).join(", ")}</code>${schema.$ref ? html`: <code>${typeOf(schema)}</code>` : nothing}.</p>`;
  }

  renderAnswer({ responses }) {
    const [status, answer] = Object.entries(responses).find(([one]) => one < 400) ?? [];
    if (!status) return nothing;
    const schema = Object.values(answer.content ?? {})[0]?.schema;
    return html`<p class="quiet small">Answers ${status}${schema ? html` with <code>${typeOf(schema)}</code>` : nothing}${answer.description && answer.description !== "OK" ? `: ${answer.description}` : ""}.</p>`;
  }

  renderOperation(one) {
    return html`<details class="operation"><summary><span class="method">${one.method}</span> <code>${one.path}</code> <span class="quiet">${one.summary}</span></summary>
      <div class="stack">${one.description ? html`<p>${one.description}</p>` : nothing}
        ${this.renderValues("Parameter", one.parameters ?? [])}${this.renderBody(one)}${this.renderAnswer(one)}
        ${one["x-imker-access"] ? html`<p class="quiet small">For ${WHO[one["x-imker-access"]] ?? one["x-imker-access"]}.</p>` : nothing}</div></details>`;
  }

  render() {
    if (this.error) return this.problem(() => this.enter());
    if (!this.all) return loading("Reading the description of the server");
    const wanted = (this.query.find ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.all.filter((one) => wanted.every((part) => one.text.includes(part)));
    return html`<div class="page-head"><h1>REST interface</h1><a class="button" href="api/v1/openapi.json" download="imker-openapi.json">OpenAPI document</a></div>
      <p class="note">Programs send a token, which <a href="#/admin?tab=tokens">Tokens</a> makes: <code>curl -H "Authorization: Bearer $TOKEN" ${new URL("api/v1/pool", document.baseURI).href}</code>.
        Every command of the terminal has <code>--json</code> and <code>--help</code>; <a href="docs/cli.md">the commands</a> are in the documentation.</p>
      <form class="filters" role="search" aria-label="Search routes" @submit=${(event) => event.preventDefault()}>
        <label class="wide"><span class="label">Search</span><input type="search" placeholder="jobs, cancel, metrics …" .value=${this.query.find ?? ""} @input=${(event) => setQuery({ find: event.target.value })}></label>
        <span class="quiet small" role="status">${plural(found.length, "route")}</span></form>
      ${found.length ? repeat([...Map.groupBy(found, (one) => one.tag)], ([tag]) => tag, ([tag, some]) => html`<section class="card" aria-label="Routes: ${tag}"><header><h2>${tag[0].toUpperCase()}${tag.slice(1)}</h2></header>${some.map((one) => this.renderOperation(one))}</section>`)
        : html`<section class="card">${empty("No matching route", "Search for a word from its path or description.")}</section>`}`;
  }
}
customElements.define("imker-reference", Reference);
