// Actions written in lines: `cook: Water, Tea -> Hot(tea), !Water`; the same as PDDL; and commands to begin with.

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
  const [, before, behind] = /^(\S+)\s*:\s*(\S+)$/.exec(text) ?? [];
  return before ? `${behind}(${before})` : name ? `${type}(${name})` : text;
}

// ---------------------------------------------------------------- as PDDL

/** In(f, a) has the name In and the terms f and a. */
function relation(text) {
  const [, no, name, terms = ""] = /^(!?)\s*([^\s(]+)\s*(?:\(([^)]*)\))?$/.exec(text) ?? [];
  return { yes: !no, name, terms: terms.split(",").map((one) => one.trim()).filter(Boolean) };
}

const atom = ({ name, terms }, mark = "") => (name === "Differs" ? `(not (= ${terms.map((one) => mark + one).join(" ")}))` : `(${[name, ...terms.map((one) => mark + one)].join(" ")})`);
const literal = (one, mark) => (one.yes ? atom(one, mark) : `(not ${atom(one, mark)})`);
const all = (literals) => `(and ${literals.join(" ")})`;

/** What is known and what is wanted as a domain and a problem; the server has found that they can be read. */
export function pddlOf({ actions, has, wants }) {
  const parsed = actions.map(({ name, parameters, needs, makes, takes }) => ({
    name, parameters: parameters.map(relation), needs: needs.map(relation), makes: makes.map(relation), takes: takes.map(relation),
  }));
  const types = new Set(parsed.flatMap((action) => action.parameters.map((one) => one.name)));
  const known = has.map(relation);
  const goal = wants.map(relation);
  const isValue = ({ name, terms }) => terms.length === 1 && types.has(name);
  const values = known.filter(isValue);
  const used = [...parsed.flatMap(({ needs, makes, takes }) => [...needs, ...makes, ...takes]), ...known.filter((one) => !isValue(one)), ...goal].filter((one) => one.name !== "Differs");
  const arities = new Map(used.map(({ name, terms }) => [name, terms.length]));
  values.forEach(({ name }) => types.add(name));
  const facts = [...known.filter((one) => !isValue(one)).map((one) => atom(one)), ...new Set(values.filter(({ name }) => arities.get(name) === 0).map(({ name }) => `(${name})`))];
  return {
    domain: `(define (domain actions)
  (:requirements :strips :typing :negative-preconditions :equality)
  (:types ${[...types].join(" ")})
  (:predicates ${[...arities].map(([name, count]) => `(${[name, ...Array.from({ length: count }, (_, i) => `?x${i}`)].join(" ")})`).join(" ")})
${parsed.map(({ name, parameters, needs, makes, takes }) => `  (:action ${name} :parameters (${parameters.map((one) => `?${one.terms[0]} - ${one.name}`).join(" ")})
    :precondition ${all(needs.map((one) => literal(one, "?")))}
    :effect ${all([...makes.map((one) => atom(one, "?")), ...takes.map((one) => `(not ${atom(one, "?")})`)])})`).join("\n")})
`,
    problem: `(define (problem request) (:domain actions)
  (:objects ${values.map(({ name, terms }) => `${terms[0]} - ${name}`).join(" ")})
  (:init ${facts.join(" ")})
  (:goal ${all(goal.map((one) => literal(one)))}))
`,
  };
}

// ---------------------------------------------------------------- what actions do

const ACTION = /:action\s+([^\s()]+)\s+:parameters\s*\(([^)]*)\)/gi;

/** Names and parameters of the actions of a PDDL domain, as its reader has them: in lower case. */
const schemasOf = (domain) => [...domain.replace(/;.*/g, "").matchAll(ACTION)]
  .map(([, name, list]) => ({ name: name.toLowerCase(), parameters: [...list.matchAll(/\?([^\s()]+)/g)].map(([, one]) => one.toLowerCase()) }));

/** An action file to begin with: each command says what it would do. */
export const bindingsOf = (domain) => `imker: 1
name: plan
strategy: replan   # when an action fails for good, another plan is looked for; or: give-up
actions:
${schemasOf(domain).map(({ name, parameters }) => `  ${name}:\n    command: echo ${[name, ...parameters.map((one) => `\${${one}}`)].join(" ")}\n`).join("")}`;
