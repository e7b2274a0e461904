// Server-sent events that survive broken connections. Whatever arrives between two frames of the
// screen is handed over at once: a page that cannot keep up sees fewer states, never a queue.

const FIRST_PAUSE_MILLIS = 500;
const LONGEST_PAUSE_MILLIS = 15000;

const listeners = new Set();
const open = new Set();

/** live: all streams are connected; waiting: some are not, and are tried again. */
export function connection() {
  return [...open].every((stream) => stream.connected) ? "live" : "waiting";
}

export function onConnection(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function tell() {
  listeners.forEach((listener) => listener(connection()));
}

/**
 * Follows a stream. `handlers` maps names of events to functions that get the list of all that came
 * since the last call. `again` is called after a reconnection, before anything new. `ended` tells
 * whether an end of the stream was to be expected.
 */
export function follow(url, handlers, { again = () => {}, ended = () => false } = {}) {
  const stream = { connected: false };
  const waiting = new Map();
  let source;
  let pause = FIRST_PAUSE_MILLIS;
  let timer = 0;
  let frame = 0;
  let before = false;

  function deliver() {
    if (frame) {
      clearTimeout(frame);
      cancelAnimationFrame(frame);
    }
    frame = 0;
    const batch = [...waiting];
    waiting.clear();
    for (const [name, values] of batch) handlers[name](values);
  }

  function schedule() {
    if (frame) return;
    // A page in the background gets no frames; it is told once a second.
    frame = document.hidden ? setTimeout(deliver, 1000) : requestAnimationFrame(deliver);
  }

  function connect() {
    source = new EventSource(url);
    source.onopen = () => {
      pause = FIRST_PAUSE_MILLIS;
      stream.connected = true;
      tell();
      if (before) again();
      before = true;
    };
    source.onerror = () => {
      source.close();
      deliver();
      stream.connected = ended();
      tell();
      if (ended()) return;
      timer = setTimeout(connect, pause);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS);
    };
    for (const name of Object.keys(handlers)) {
      source.addEventListener(name, (event) => {
        if (!waiting.has(name)) waiting.set(name, []);
        waiting.get(name).push(JSON.parse(event.data));
        schedule();
      });
    }
  }

  open.add(stream);
  connect();
  return () => {
    source.close();
    clearTimeout(timer);
    waiting.clear();
    open.delete(stream);
    tell();
  };
}
