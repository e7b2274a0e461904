// Calls of the REST interface. Errors carry the server's own words.

export class ApiError extends Error {
  constructor(status, code, message, field) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }
}

const loginNeeded = new Set();

/** Calls back when a call finds that nobody is logged in. */
export function onLoginNeeded(listener) {
  loginNeeded.add(listener);
}

const ANSWER_MILLIS = 30000;
/** What is to be done may take longer: a simulation, many jobs at once. */
const DONE_MILLIS = 120000;
const reachListeners = new Set();
let reached = true;

/** Whether the server answered the last call, whatever it said. */
export const isReached = () => reached;

export function onReach(listener) {
  reachListeners.add(listener);
}

function reach(now) {
  if (now === reached) return;
  reached = now;
  reachListeners.forEach((listener) => listener());
}

/** An answer that takes longer is told of. */
const SOON_MILLIS = 700;
let slow = 0;

/** Whether something that was asked for takes long. */
export const isSlow = () => slow > 0;

/** Counts a call among the slow ones, from when it is one to its end. */
async function timed(answer) {
  let counted = false;
  const tell = (change) => {
    slow += change;
    reachListeners.forEach((listener) => listener());
  };
  const timer = setTimeout(() => { counted = true; tell(1); }, SOON_MILLIS);
  try {
    return await answer;
  } finally {
    clearTimeout(timer);
    if (counted) tell(-1);
  }
}

/** Looks whether the server is there. */
export async function look() {
  try {
    await fetch("icon.svg", { cache: "no-store", signal: AbortSignal.timeout(ANSWER_MILLIS) });
    reach(true);
  } catch {
    reach(false);
  }
}

function limited(signal, limit) {
  if (!limit) return signal;
  const limits = AbortSignal.timeout(limit);
  return signal ? AbortSignal.any([signal, limits]) : limits;
}

export async function call(method, path, { body, signal, headers = {}, type, limit } = {}) {
  const request = { method, signal: limited(signal, limit), headers: { Accept: "application/json", ...headers } };
  if (body !== undefined) {
    request.body = type ? body : JSON.stringify(body);
    request.headers["Content-Type"] = type ?? "application/json";
  }
  let answer;
  try {
    answer = await timed(fetch(path, request));
  } catch (error) {
    if (error.name === "AbortError") throw error;
    reach(false);
    throw new ApiError(0, "unreachable", "The server does not answer. Check whether it is running.");
  }
  reach(true);
  if (!answer.ok) throw await failure(answer);
  return answer;
}

async function failure(answer) {
  let error = {};
  try {
    error = (await answer.json()).error ?? {};
  } catch {
    // Not from the server itself; the status has to do.
  }
  if (answer.status === 401) loginNeeded.forEach((listener) => listener());
  return new ApiError(
    answer.status, error.code ?? "failed", error.message ?? `The server answered ${answer.status}.`,
    error.field);
}

/** The body, in one of the forms that answers have; it may stop coming, too. */
async function body(asked, form) {
  const answer = await asked;
  if (answer.status === 204) return null;
  try {
    return await answer[form]();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, "cut_off", "The server's answer was cut off. Try again.");
  }
}

export const get = (path, options) => body(call("GET", path, { limit: ANSWER_MILLIS, ...options }), "json");
/** Files may be large, and lines slow. */
export const text = (path, options) => body(call("GET", path, { limit: DONE_MILLIS, ...options }), "text");
export const blob = (path, options) => body(call("GET", path, { limit: DONE_MILLIS, ...options }), "blob");
export const post = (path, value = {}, options) => body(call("POST", path, { limit: DONE_MILLIS, ...options, body: value }), "json");
export const put = (path, value, options) => body(call("PUT", path, { limit: DONE_MILLIS, ...options, body: value }), "json");
export const remove = (path) => body(call("DELETE", path, { limit: DONE_MILLIS }), "json");

/** Makes one wish one wish: a submission that is sent again with the same key is taken once. */
export function requestKey() {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A path with its parts and a query encoded; empty values are left out. */
export function path(strings, ...parts) {
  return strings.reduce((all, piece, i) => all + encodeURIComponent(parts[i - 1]) + piece);
}

export function query(values) {
  const given = Object.entries(values).filter(([, value]) => value !== "" && value != null);
  return given.length ? `?${new URLSearchParams(given)}` : "";
}
