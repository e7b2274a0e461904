// How long a job still takes, from how fast it went lately.
const WINDOW_MILLIS = 60000;

export class Estimate {
  #seen = [];

  see(job) {
    const now = Date.now();
    const settled = job.counts.done + job.counts.failed + job.counts.autoBlocked + job.counts.cancelled;
    this.#seen.push({ now, settled });
    while (this.#seen.length > 2 && now - this.#seen[0].now > WINDOW_MILLIS) this.#seen.shift();
  }

  /** Undefined while nothing is known. */
  leftMillis(job) {
    const last = this.#seen.at(-1);
    if (!last) return undefined;
    const first = this.#seen[0];
    const recent = (last.settled - first.settled) / (last.now - first.now);
    const overall = last.settled / (last.now - new Date(job.submitted).getTime());
    const speed = recent > 0 ? recent : overall;
    return speed > 0 && Number.isFinite(speed) ? (job.tasks - last.settled) / speed : undefined;
  }
}
