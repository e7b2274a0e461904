// The columns of the list of jobs. The server sorts by all of them; by those that change while a job is
// worked on, it sorts the newest jobs only.
export const COLUMNS = [
  { name: "id", title: "Job", kind: "tight" },
  { name: "name", title: "Name" },
  { name: "status", title: "Status", newest: true },
  { name: "progress", title: "Progress", kind: "optional", newest: true },
  { name: "done", title: "Done", kind: "number", newest: true },
  { name: "failed", title: "Failed", kind: "number optional", newest: true },
  { name: "project", title: "Project", kind: "optional", newest: true },
  { name: "priority", title: "Priority", kind: "number optional", newest: true },
  { name: "submitted", title: "Submitted", kind: "tight optional", newest: true },
];
