// Result files, and a look into them: text, tables, JSON, pictures.
import { html, nothing } from "../lit.js";
import { blob } from "../api.js";
import { bytes } from "../format.js";

const MOST_BYTES = 2 << 20;
const MOST_ROWS = 100;
export const PICTURES = { png: "image/png", jpg: "image/jpeg", jpeg: "image/jpeg", gif: "image/gif", webp: "image/webp", svg: "image/svg+xml" };

const ending = (path) => path.slice(path.lastIndexOf(".") + 1).toLowerCase();
export const address = (task, file) =>
  `api/v1/tasks/${task}/results/${file.path.split("/").map(encodeURIComponent).join("/")}`;

/** One line of a table with commas or tabs; quotes may hold both. */
export function cells(line, separator) {
  const found = [];
  const pattern = new RegExp(`"((?:[^"]|"")*)"|([^${separator}"]*)`, "y");
  while (pattern.lastIndex <= line.length) {
    const match = pattern.exec(line);
    if (!match) break;
    found.push(match[1]?.replaceAll('""', '"') ?? match[2]);
    if (line[pattern.lastIndex] !== separator) break;
    pattern.lastIndex++;
  }
  return found;
}

function table(text, separator) {
  const lines = text.split(/\r?\n/).filter((line) => line).slice(0, MOST_ROWS + 1).map((line) => cells(line, separator));
  if (!lines.length) return html`<p class="quiet">The file is empty.</p>`;
  const [head, ...rows] = lines;
  return html`<div class="table-box" tabindex="0"><table><thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
    <tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>
    ${rows.length === MOST_ROWS ? html`<p class="quiet small">The first ${MOST_ROWS} rows.</p>` : nothing}`;
}

async function look(task, file) {
  const kind = ending(file.path);
  const content = await blob(address(task, file), { headers: { Range: `bytes=0-${MOST_BYTES - 1}` } });
  if (PICTURES[kind]) {
    const url = URL.createObjectURL(new Blob([content], { type: PICTURES[kind] }));
    return { file, url };
  }
  const text = await content.text();
  return { file, text, binary: text.includes("\u0000") };
}

export function content({ file, url, text, binary }) {
  if (url) return html`<img class="picture" src=${url} alt="Picture ${file.path}">`;
  if (binary) return html`<p class="quiet">This is a binary file. Download it to open it.</p>`;
  const kind = ending(file.path);
  if (kind === "csv") return table(text, ",");
  if (kind === "tsv") return table(text, "\t");
  if (kind === "json") {
    try {
      return html`<pre class="code-box" tabindex="0">${JSON.stringify(JSON.parse(text), null, 2)}</pre>`;
    } catch {
      // Cut off or not valid: shown as it is.
    }
  }
  return html`<pre class="code-box" tabindex="0">${text || "The file is empty."}</pre>`;
}

/** Of several that are asked for in a row, the last one counts. */
async function show(view, task, file) {
  if (view.shown?.url) URL.revokeObjectURL(view.shown.url);
  const wanted = isShown(view, task, file) ? undefined : { task, file };
  view.wanted = wanted;
  const found = wanted && await view.attempt(async () => ({ task: task.id, ...(await look(task.id, file)) }));
  if (view.wanted === wanted) view.shown = found;
}

/** Whether a file is the one that is looked into. */
export const isShown = (view, task, file) => view.shown?.task === task.id && view.shown?.file.path === file.path;

/** What can be done with a file; `view.shown` is the one that is looked into. */
export const fileActions = (view, task, file) => html`<span class="actions">
  <button class="small" aria-expanded=${isShown(view, task, file)} aria-label="Preview ${file.path}" @click=${() => show(view, task, file)}>Preview</button>
  <a class="button small" href=${address(task.id, file)} download=${file.path.split("/").at(-1)} aria-label="Download ${file.path}">Download</a></span>`;

/** The files of a task. */
export function resultList(view, task) {
  const files = task.results.length ? task.results : task.saved ?? [];
  if (!files.length) return nothing;
  const title = task.results.length ? "Result files" : "Saved so far, at the newest checkpoint";
  return html`<div class="stack"><h3>${title}</h3><ul class="list">${files.map((file) => html`<li>
    <code class="grow">${file.path}</code><span class="quiet small">${bytes(file.size)}</span>${fileActions(view, task, file)}</li>`)}</ul>
    ${view.shown?.task === task.id ? content(view.shown) : nothing}</div>`;
}
