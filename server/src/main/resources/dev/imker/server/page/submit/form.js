// The form for plain jobs, and the job file it makes.
import { html } from "../lit.js";

export const EMPTY_FORM = { name: "", project: "", command: "echo hello ${n}", sweep: [{ name: "n", values: "1..10" }], priority: "", results: "", failures: "",
  cores: "", memory: "", gpus: "", resources: "" };

/** A text as YAML takes it for nothing but a text. */
function quoted(value) {
  return /^[A-Za-z][\w ./$(){}=,;>|+-]*$/.test(value) && !/(: | #|\s$)/.test(value) && !/^(true|false|null|yes|no|on|off|none)$/i.test(value)
    ? value : `'${value.replaceAll("'", "''")}'`;
}

function command(value) {
  return value.includes("\n") ? `|\n  ${value.trimEnd().replaceAll("\n", "\n  ")}` : quoted(value);
}

export function fromForm(form) {
  const lines = ["imker: 1"];
  if (form.name) lines.push(`name: ${quoted(form.name)}`);
  if (form.project) lines.push(`project: ${quoted(form.project)}`);
  lines.push(`command: ${command(form.command)}`);
  const axes = form.sweep.filter((axis) => axis.name && axis.values);
  if (axes.length) lines.push("sweep:", ...axes.map((axis) => `  ${axis.name}: ${/^[\w.,+-]+$/.test(axis.values) ? axis.values : quoted(axis.values)}`));
  if (form.results) lines.push("results:", ...form.results.split(/[\s,]+/).filter(Boolean).map((one) => `  - ${quoted(one)}`));
  const needs = [
    form.cores && `cores: ${form.cores.trim()}`, form.memory && `memory: ${form.memory.trim()}`, form.gpus && `gpus: ${form.gpus.trim()}`,
    form.resources && `resources: {${form.resources.split(/[\s,]+/).filter(Boolean).map((one) => one.replace(/[=:]/, ": ")).join(", ")}}`,
  ].filter(Boolean);
  if (needs.length) lines.push("needs:", ...needs.map((one) => `  ${one}`));
  if (form.priority) lines.push(`priority: ${form.priority}`);
  if (form.failures) lines.push(`max-failures: ${form.failures}`);
  if (form.inputs?.length) lines.push("inputs:", ...form.inputs.map((path) => `  - ${quoted(path)}`));
  return `${lines.join("\n")}\n`;
}

export function jobForm(form, change) {
  const set = (name) => (event) => change({ ...form, [name]: event.target.value });
  const axis = (at, name) => (event) =>
    change({ ...form, sweep: form.sweep.map((one, i) => (i === at ? { ...one, [name]: event.target.value } : one)) });
  return html`<div class="stack">
    <label><span class="label">Command</span><textarea class="code" rows="3" .value=${form.command} @input=${set("command")}></textarea></label>
    <fieldset class="stack"><legend class="label">Sweep: one task for every combination of values; <code>\${name}</code> in the command stands for a value</legend>
      ${form.sweep.map((one, i) => html`<div class="axis">
        <label><span class="visually-hidden">Parameter ${i + 1}</span><input placeholder="name" .value=${one.name} @input=${axis(i, "name")}></label>
        <label><span class="visually-hidden">Values of parameter ${i + 1}</span><input placeholder="1..10 or a,b,c" .value=${one.values} @input=${axis(i, "values")}></label>
        <button class="small plain" aria-label="Remove parameter ${i + 1}" @click=${() => change({ ...form, sweep: form.sweep.filter((_, at) => at !== i) })}>×</button></div>`)}
      <div><button class="small" @click=${() => change({ ...form, sweep: [...form.sweep, { name: "", values: "" }] })}>Add a parameter</button></div></fieldset>
    <div class="grid narrow">
      <label><span class="label">Name</span><input .value=${form.name} placeholder="from the command" @input=${set("name")}></label>
      <label><span class="label">Project</span><input .value=${form.project} placeholder="default" @input=${set("project")}></label>
      <label><span class="label">Priority, 0 to 9</span><input type="number" min="0" max="9" .value=${form.priority} placeholder="4" @input=${set("priority")}></label>
      <label><span class="label">Failures before a task is given up</span><input type="number" min="1" .value=${form.failures} placeholder="5" @input=${set("failures")}></label></div>
    <fieldset><legend class="label">Each task gets, while it runs</legend><div class="grid narrow">
      <label><span class="label">Cores</span><input .value=${form.cores} placeholder="1, 0.25 or all" @input=${set("cores")}></label>
      <label><span class="label">Memory</span><input .value=${form.memory} placeholder="8 GB or auto" @input=${set("memory")}></label>
      <label><span class="label">GPUs</span><input .value=${form.gpus} placeholder="0" @input=${set("gpus")}></label>
      <label><span class="label">Other resources</span><input .value=${form.resources} placeholder="fpga=1" @input=${set("resources")}></label></div></fieldset>
    <label><span class="label">Result files</span><input .value=${form.results} placeholder="every new file; or names and patterns, such as *.csv" @input=${set("results")}></label></div>`;
}
