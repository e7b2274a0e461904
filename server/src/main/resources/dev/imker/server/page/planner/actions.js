// Actions written in lines: `cook: Water, Tea -> Hot(tea), !Water`.

/** A list with commas, but not with those inside of brackets. */
export function wordsOf(text) {
  return text.split(/,(?![^(]*\))|\n/).map((word) => word.trim()).filter(Boolean);
}

const parameter = /^\s*([\w.-]+)\s*(?:\(([^)]*)\))?\s*:/;

export function actionsOf(text) {
  return text.split("\n").map((line) => line.trim()).filter((line) => line && !line.startsWith("#")).map((line) => {
    const head = parameter.exec(line);
    const [needs, effects] = line.slice(head?.[0].length ?? 0).split(/->|→/);
    if (!head || effects === undefined) throw new Error(`"${line}" is no action; write it as name: Need, Need -> Effect, !Gone.`);
    const words = wordsOf(effects);
    return {
      name: head[1], parameters: (head[2] ?? "").split(",").map((one) => one.trim()).filter(Boolean).map(typed), needs: wordsOf(needs),
      makes: words.filter((word) => !word.startsWith("!")), takes: words.filter((word) => word.startsWith("!")).map((word) => word.slice(1)),
    };
  });
}

/** `File f` and `f: File` both are File(f). */
function typed(text) {
  const [, type, name] = /^(\S+)\s+(\S+)$/.exec(text) ?? [];
  return name ? `${type}(${name})` : text;
}

const ACTION = /:action\s+([^\s()]+)\s+:parameters\s*\(([^)]*)\)/gi;

/** Names and parameters of the actions of a PDDL domain. */
const schemasOf = (domain) => [...domain.replace(/;.*/g, "").matchAll(ACTION)]
  .map(([, name, list]) => ({ name: name.toLowerCase(), parameters: [...list.matchAll(/\?([^\s()]+)/g)].map(([, one]) => one.toLowerCase()) }));

/** Commands to begin with: each says what it would do. */
export const commandsOf = (domain) => schemasOf(domain)
  .map(({ name, parameters }) => `${name}: echo ${[name, ...parameters.map((one) => `\${${one}}`)].join(" ")}\n`).join("");

/** What the pool needs to carry out a plan. */
export function orderOf({ domain, problem }, commands, replan, plan) {
  const lines = new Map(commands.split("\n").filter((line) => line.includes(":"))
    .map((line) => [line.slice(0, line.indexOf(":")).trim().toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]));
  const stages = schemasOf(domain).filter(({ name }) => lines.get(name)).map(({ name, parameters }) => ({
    name, command: [lines.get(name)], sweep: parameters.map((one) => ({ name: one, values: [one] })),
  }));
  return { domain, problem, job: { name: "plan", stages }, replan, plan };
}
