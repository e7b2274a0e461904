// How figures and times are written.

const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
// One clock for the whole page, in the reader's time zone, whatever the locale of the browser.
const clock = new Intl.DateTimeFormat("en-GB", {
  year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23",
});

const exact = new Intl.DateTimeFormat("en-GB", {
  year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23",
});

export const number = (value) => (value == null ? "–" : whole.format(value));
export const compact = (value) => (value < 10000 ? whole.format(value) : short.format(value));

export function decimal(value, digits = 2) {
  return value == null || Number.isNaN(value) ? "–" : value.toFixed(digits);
}

export function percent(share) {
  if (share == null || Number.isNaN(share)) return "–";
  const value = share * 100;
  return `${value > 0 && value < 10 ? value.toFixed(1) : Math.floor(value)} %`;
}

export function share(percentValue) {
  return percentValue == null || Number.isNaN(percentValue) ? "–" : `${percentValue.toFixed(percentValue < 100 ? 1 : 0)} %`;
}

export function bytes(value) {
  if (value == null) return "–";
  const units = ["B", "KB", "MB", "GB", "TB", "PB"];
  let size = value;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${units[unit]}`;
}

export function duration(millis) {
  if (millis == null || Number.isNaN(millis)) return "–";
  if (millis < 1000) return `${Math.round(millis)} ms`;
  const seconds = millis / 1000;
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`;
  const parts = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
  let rest = Math.round(seconds);
  const words = [];
  for (const [size, unit] of parts) {
    const count = Math.floor(rest / size);
    if (count && words.length < 2) words.push(`${count} ${unit}`);
    else if (words.length) break;
    rest -= count * size;
  }
  return words.join(" ");
}

export const minutes = (value) => (value ? duration(value * 60000) : "–");
export const time = (iso) => (iso ? clock.format(new Date(iso)) : "–");

/** To the second, where several things happen within a minute. */
export const moment = (iso) => (iso ? exact.format(new Date(iso)) : "–");

const STAMP = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
const HOUR_OF_DAY = /\b(\d\d):(\d\d) UTC\b/g;
const minute = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** What a server says, with its times as everywhere on the page. */
export const inLocalTime = (text) => text.replace(STAMP, (stamp) => moment(stamp))
  .replace(HOUR_OF_DAY, (_, hours, minutes) => minute.format(new Date(new Date().setUTCHours(Number(hours), Number(minutes), 0, 0))));

export function ago(iso, now = Date.now()) {
  if (!iso) return "–";
  const millis = now - new Date(iso).getTime();
  if (millis < 5000) return "just now";
  return millis < 60000 ? `${Math.floor(millis / 1000)} s ago` : `${duration(millis).split(" ").slice(0, 2).join(" ")} ago`;
}

export function plural(count, one, many = `${one}s`) {
  return `${number(count)} ${count === 1 ? one : many}`;
}

/** What people call states whose own names tell how they came about. */
const STATE_WORDS = { AUTO_BLOCKED: "failed", autoBlocked: "failed", BLOCKED: "held", blocked: "held" };

/** The one name that a state, or another constant, has for people: TIMED_OUT becomes "timed-out". */
export function words(name) {
  return STATE_WORDS[name] ?? name.replaceAll("_", "-").replace(/([a-z])([A-Z])/g, "$1-$2").toLowerCase();
}

export function commandLine(command) {
  if (!command?.length) return "";
  return command.length === 1
    ? command[0]
    : command.map((word) => (/^[\w@%+=:,./${}-]+$/.test(word) ? word : `'${word}'`)).join(" ");
}
