// The jobs of one executor of a Java program, or of one actor, are one row, as in `imker ls`.

// Together they are what the first of these says that one of them is.
const STATUSES = ["RUNNING", "QUEUED", "WAITING", "BLOCKED", "FAILED", "CANCELLED", "DONE"];

const keyOf = (job) => job.group ?? job.id;

/** Jobs by row, in the order in which the rows come first. */
export function rows(jobs) {
  return [...Map.groupBy(jobs, keyOf).values()];
}

/** As many of the jobs as fill so many rows. */
export function filling(jobs, most) {
  const known = new Set();
  const end = jobs.findIndex((job) => known.add(keyOf(job)).size > most);
  return end < 0 ? jobs : jobs.slice(0, end);
}

/** What several jobs come to, in the form of one. */
export function together(jobs) {
  if (jobs.length === 1) return jobs[0];
  const first = jobs.reduce((one, other) => (other.id < one.id ? other : one));
  const counts = {};
  for (const job of jobs) {
    for (const [state, count] of Object.entries(job.counts)) counts[state] = (counts[state] ?? 0) + count;
  }
  return {
    ...first,
    counts,
    tasks: jobs.reduce((sum, job) => sum + job.tasks, 0),
    status: STATUSES.find((status) => jobs.some((job) => job.status === status)) ?? first.status,
  };
}

/** Such as 12–57. */
export function span(jobs) {
  const ids = jobs.map((job) => job.id);
  const least = Math.min(...ids);
  const most = Math.max(...ids);
  return least === most ? `${least}` : `${least}–${most}`;
}
