// Files of analyses, read with care: they may be anything.
import { cells } from "../job/preview.js";

/** Numbers that are none travel as texts. */
const reviver = (_, value) => (value === "NaN" ? NaN : value === "Infinity" ? Infinity : value === "-Infinity" ? -Infinity : value);

/** The analysis in a JSON file, or undefined. */
export function isResult(text) {
  try {
    const result = JSON.parse(text, reviver);
    if (!Array.isArray(result?.perMarket) || typeof result.kind !== "string") return undefined;
    const whole = ({ market, figures, curve, trades }) => typeof market === "string" && figures && Array.isArray(curve) && Array.isArray(trades);
    return { ...result, warnings: result.warnings ?? [], perMarket: result.perMarket.filter(whole) };
  } catch {
    return undefined;
  }
}

/** What a market is called in the name of a file. */
export const fileName = (market) => market.replace(/[^A-Za-z0-9._-]/g, "_");

const COLUMNS = ["date", "open", "high", "low", "close"];

/** Bars of a CSV file with at least date, open, high, low, close; none if it is something else. */
export function prices(text) {
  const lines = text.split(/\r?\n/).filter(Boolean);
  const separator = lines[0]?.includes(";") ? ";" : ",";
  const head = cells(lines[0] ?? "", separator).map((name) => name.trim().toLowerCase());
  const at = COLUMNS.map((name) => head.indexOf(name));
  if (at.some((one) => one < 0)) return [];
  return lines.slice(1).map((line) => {
    const values = cells(line, separator);
    const [date, ...numbers] = at.map((one) => values[one]);
    const [open, high, low, close] = numbers.map(Number);
    return { date, open, high, low, close };
  }).filter((bar) => Number.isFinite(bar.close));
}
