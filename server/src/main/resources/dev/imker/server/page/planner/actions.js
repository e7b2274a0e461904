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
