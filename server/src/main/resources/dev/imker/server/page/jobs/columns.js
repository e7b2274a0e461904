// The columns of the list of jobs, and how the rows of one page are sorted by them.
export const COLUMNS = [
  { name: "id", title: "Job", kind: "tight", value: (job) => job.id },
  { name: "name", title: "Name", value: (job) => job.name },
  { name: "status", title: "Status", value: (job) => job.status },
  { name: "progress", title: "Progress", value: (job) => job.counts.done / job.tasks },
  { name: "done", title: "Done", kind: "number", value: (job) => job.counts.done },
  { name: "failed", title: "Failed", kind: "number optional", value: (job) => job.counts.failed + job.counts.autoBlocked },
  { name: "project", title: "Project", kind: "optional", value: (job) => `${job.user}/${job.project}` },
  { name: "priority", title: "Priority", kind: "number optional", value: (job) => job.priority },
  { name: "submitted", title: "Submitted", kind: "tight", value: (job) => job.submitted },
];

/** `sort` is the name of a column, with a minus for the other direction. */
export function sorted(jobs, sort = "") {
  const column = COLUMNS.find((one) => one.name === sort.replace("-", ""));
  if (!column) return jobs;
  const direction = sort.startsWith("-") ? -1 : 1;
  return [...jobs].sort((a, b) => {
    const [left, right] = [column.value(a), column.value(b)];
    return direction * (typeof left === "string" ? left.localeCompare(right) : left - right) || b.id - a.id;
  });
}
