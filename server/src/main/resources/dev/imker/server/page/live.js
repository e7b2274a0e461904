// Server-sent events that survive broken connections. Whatever arrives between two frames of the
// screen is handed over at once: a page that cannot keep up sees fewer states, never a queue.
import { isReached, isSlow, look, onReach } from "./api.js";

const FIRST_PAUSE_MILLIS = 500;
const LONGEST_PAUSE_MILLIS = 15000;
/** The server says something every ten seconds; a stream that is silent for longer is dead. */
const SILENCE_MILLIS = 35000;
/** A browser has few connections for all of its windows: one that nobody sees gives its own back. */
const UNSEEN_MILLIS = 5000;
/** How often a page without streams looks whether the server is still there. */
const LOOK_MILLIS = 10000;

/** Over HTTP/1, all windows of a browser share six connections to a server: so many are for what goes on for long. */
const PLACES = 3;
/** A window without a place takes turns with others like it, and looks for a moment. */
const GLANCE_MILLIS = 1000;
const BETWEEN_GLANCES_MILLIS = 3000;

const listeners = new Set();
const open = new Set();

const isScarce = () => Boolean(navigator.locks) && performance.getEntriesByType("navigation")[0]?.nextHopProtocol !== "h2";

/** A lock that all windows of this site share; resolves to what gives it back, or to nothing if it is not to be had. */
function lock(name, options) {
  return new Promise((resolve) => {
    navigator.locks.request(name, options, (got) => (got ? new Promise((back) => { resolve(back); }) : resolve(undefined))).catch(() => resolve(undefined));
  });
}

/** One of the few connections that may stay open; resolves to what gives it back, or to nothing if there is none left. */
export async function place() {
  if (!isScarce()) return () => {};
  for (let i = 0; i < PLACES; i++) {
    const back = await lock(`imker-stream-${i}`, { ifAvailable: true });
    if (back) return back;
  }
  return undefined;
}

/** live: the server answers and all streams are connected; slow: an answer takes long; waiting: the server is tried again. */
export function connection() {
  if (!isReached() || ![...open].every((stream) => stream.connected)) return "waiting";
  return isSlow() ? "slow" : "live";
}

export function onConnection(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell() {
  listeners.forEach((listener) => listener(connection()));
}

onReach(tell);
setInterval(() => {
  if (!document.hidden && (open.size === 0 || !isReached())) look();
}, LOOK_MILLIS);

/** Windows that are hidden for a while are not told anything; seen again, they catch up at once. */
let unseen = 0;
document.addEventListener("visibilitychange", () => {
  clearTimeout(unseen);
  if (document.hidden) unseen = setTimeout(() => open.forEach((stream) => stream.rest()), UNSEEN_MILLIS);
  else open.forEach((stream) => stream.wake());
});

/**
 * Follows a stream. `handlers` maps names of events to functions that get the list of all that came
 * since the last call. `again` is called after a reconnection, before anything new. `ended` tells
 * whether an end of the stream was to be expected.
 */
export function follow(url, handlers, { again = () => {}, ended = () => false } = {}) {
  const stream = { connected: false, rest, wake };
  const waiting = new Map();
  let source;
  let pause = FIRST_PAUSE_MILLIS;
  let timer = 0;
  /** Ends the wait for the next delivery. */
  let unschedule;
  let before = false;
  let heard = 0;
  let attempt = 0;
  let giveBack;

  function deliver() {
    unschedule?.();
    unschedule = undefined;
    const batch = [...waiting];
    waiting.clear();
    for (const [name, values] of batch) handlers[name](values);
  }

  function schedule() {
    if (unschedule) return;
    // A page in the background gets no frames; it is told once a second.
    if (document.hidden) {
      const timer = setTimeout(deliver, 1000);
      unschedule = () => clearTimeout(timer);
    } else {
      const frame = requestAnimationFrame(deliver);
      unschedule = () => cancelAnimationFrame(frame); // numbers of frames are those of other timers, too
    }
  }

  function listen() {
    clearTimeout(heard);
    heard = setTimeout(lost, SILENCE_MILLIS);
  }

  function hangUp() {
    attempt++;
    source?.close();
    source = undefined;
    clearTimeout(timer);
    clearTimeout(heard);
    giveBack?.();
    giveBack = undefined;
  }

  /** Tried again after a while that grows, and is not the same for all pages of a server that comes back. */
  function lost() {
    hangUp();
    deliver();
    stream.connected = ended();
    tell();
    if (ended()) return;
    timer = setTimeout(connect, pause * (0.5 + Math.random() / 2));
    pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS);
  }

  function rest() {
    if (ended()) return;
    hangUp();
    stream.resting = true;
  }

  function wake() {
    if (stream.resting || (!stream.connected && !ended())) {
      stream.resting = false;
      hangUp();
      connect();
    }
  }

  async function connect() {
    const mine = ++attempt;
    const stays = await place();
    const turn = stays ?? await lock("imker-glance", {});
    if (mine !== attempt) {
      turn?.();
      return;
    }
    giveBack = turn;
    openSource(!stays);
  }

  /** For good, or for a glance: what has changed meanwhile is told on opening. */
  function openSource(glance) {
    source = new EventSource(url);
    listen();
    source.onopen = () => {
      pause = FIRST_PAUSE_MILLIS;
      stream.connected = true;
      tell();
      if (before) again();
      before = true;
      if (glance) timer = setTimeout(turnAway, GLANCE_MILLIS);
    };
    source.onerror = lost;
    source.addEventListener("alive", listen);
    for (const name of Object.keys(handlers)) {
      source.addEventListener(name, (event) => {
        listen();
        if (!waiting.has(name)) waiting.set(name, []);
        waiting.get(name).push(JSON.parse(event.data));
        schedule();
      });
    }
  }

  function turnAway() {
    hangUp();
    if (!ended()) timer = setTimeout(connect, BETWEEN_GLANCES_MILLIS * (0.5 + Math.random()));
  }

  open.add(stream);
  if (document.hidden) {
    // Opened in the background: the first look at it catches up.
    stream.resting = true;
    stream.connected = true;
    before = true;
  } else {
    connect();
  }
  return () => {
    hangUp();
    waiting.clear();
    open.delete(stream);
    tell();
  };
}
