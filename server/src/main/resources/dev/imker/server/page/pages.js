// All pages; each is loaded when it is first looked at.
import { html } from "./lit.js";

export const PAGES = [
  {
    name: "overview", title: "Overview",
    load: () => import("./overview/overview.js"),
    render: () => html`<imker-overview></imker-overview>`,
  },
  {
    name: "jobs", title: "Jobs", also: "job",
    load: () => import("./jobs/jobs.js"),
    render: ({ query }) => html`<imker-jobs .query=${query}></imker-jobs>`,
  },
  {
    name: "job", title: "Job", hidden: true,
    load: () => import("./job/job.js"),
    render: ({ parts, query }) => html`<imker-job .job=${parts[0]} .query=${query}></imker-job>`,
  },
];
