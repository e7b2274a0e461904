// Files that travel with a job: chosen or dropped, hashed here, sent where they are not there yet.
import { html, nothing } from "../lit.js";
import { call, post } from "../api.js";
import { bytes } from "../format.js";
import { fromForm } from "./form.js";

/** Where files of dropped folders lie in them. */
const paths = new WeakMap();
const pathOf = (file) => paths.get(file) ?? (file.webkitRelativePath || file.name);
const MOST_FILES = 10000;

export const listed = (files) => files.map((file) => ({ path: pathOf(file), size: file.size }));

async function sha256(file) {
  const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Sends what the pool lacks; returns the files as a submission names them. */
export async function upload(files, tell) {
  const stored = [];
  // Browsers compute hashes over TLS and on the same machine only.
  if (files.length && !crypto.subtle) throw new Error("Over plain HTTP, browsers send no files. Open this page by https, or submit the job file with: imker submit job.yaml");
  for (const file of files) {
    tell(`Reading ${file.name}`);
    stored.push({ path: pathOf(file), size: file.size, blob: await sha256(file) });
  }
  if (!files.length) return stored;
  const { missing } = await post("api/v1/blobs/missing", { blobs: [...new Set(stored.map((one) => one.blob))] });
  const lacking = new Set(missing);
  for (const [i, one] of stored.entries()) {
    if (lacking.delete(one.blob)) {
      tell(`Sending ${one.path}`);
      await call("PUT", `api/v1/blobs/${one.blob}`, { body: files[i], type: "application/octet-stream" });
    }
  }
  return stored;
}

function add(view, list) {
  const known = new Map(view.files.map((file) => [pathOf(file), file]));
  for (const file of list) known.set(pathOf(file), file);
  view.files = [...known.values()];
  follow(view);
}

/** Files are named as inputs by the form; who writes the file by hand names them there. */
function follow(view) {
  view.form = { ...view.form, inputs: view.files.map(pathOf) };
  if (!view.byHand) view.file = fromForm(view.form);
}

/** All that a folder tells: it does so in portions. */
async function entriesOf(folder) {
  const reader = folder.createReader();
  const all = [];
  for (;;) {
    const some = await new Promise((found, failed) => { reader.readEntries(found, failed); });
    if (!some.length) return all;
    all.push(...some);
  }
}

async function collect(entry, found) {
  if (found.length > MOST_FILES) throw new Error(`There are more than ${MOST_FILES} files in what you dropped. Pack them into one archive.`);
  if (entry.isDirectory) {
    for (const one of await entriesOf(entry)) await collect(one, found);
  } else {
    const file = await new Promise((read, failed) => { entry.file(read, failed); });
    paths.set(file, entry.fullPath.replace(/^\//, ""));
    found.push(file);
  }
}

/** Files and folders; what was dropped can only be asked for before the event is over. */
function drop(view, event) {
  event.preventDefault();
  view.over = false;
  const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry?.()).filter(Boolean);
  if (!entries.some((entry) => entry.isDirectory)) {
    add(view, event.dataTransfer.files);
    return;
  }
  view.attempt(async () => {
    const found = [];
    for (const entry of entries) await collect(entry, found);
    if (!found.length) throw new Error("The folder has no files.");
    add(view, found);
  });
}

export function fileBox(view) {
  const chosen = (event) => {
    add(view, event.target.files);
    event.target.value = "";
  };
  return html`<div class="drop ${view.over ? "over" : ""}" @dragover=${(event) => { event.preventDefault(); view.over = true; }}
      @dragleave=${() => { view.over = false; }} @drop=${(event) => drop(view, event)}>
    <label class="button small">Choose files<input class="visually-hidden" type="file" multiple @change=${chosen}></label>
    <label class="button small">Choose a folder<input class="visually-hidden" type="file" webkitdirectory @change=${chosen}></label>
    <span class="quiet">or drop files and folders here. They are in the work folder of every task.</span></div>
    ${view.files.length ? html`<ul class="list" aria-label="Files">${view.files.map((file) => html`<li><code class="grow">${pathOf(file)}</code>
      <span class="quiet small">${bytes(file.size)}</span>
      <button class="small plain" aria-label="Remove ${pathOf(file)}" @click=${() => { view.files = view.files.filter((one) => one !== file); follow(view); }}>×</button></li>`)}</ul>` : nothing}`;
}
