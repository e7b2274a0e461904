// All pages; each is loaded when it is first looked at.
import { html } from "./lit.js";
import { isAdmin } from "./session.js";

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
  {
    name: "compare", title: "Compare", hidden: true,
    load: () => import("./compare/compare.js"),
    render: ({ query }) => html`<imker-compare .query=${query}></imker-compare>`,
  },
  {
    name: "submit", title: "Submit", work: true,
    load: () => import("./submit/submit.js"),
    render: ({ query }) => html`<imker-submit .query=${query}></imker-submit>`,
  },
  {
    name: "nodes", title: "Nodes", also: "node",
    load: () => import("./nodes/nodes.js"),
    render: ({ query }) => html`<imker-nodes .query=${query}></imker-nodes>`,
  },
  {
    name: "node", title: "Node", hidden: true,
    load: () => import("./nodes/node.js"),
    render: ({ parts }) => html`<imker-node .node=${parts[0]}></imker-node>`,
  },
  {
    name: "planner", title: "Planner", work: true,
    load: () => import("./planner/planner.js"),
    render: ({ query }) => html`<imker-planner .query=${query}></imker-planner>`,
  },
  {
    name: "simulator", title: "Simulator", work: true,
    load: () => import("./simulator/simulator.js"),
    render: () => html`<imker-simulator></imker-simulator>`,
  },
  {
    name: "charts", title: "Charts",
    load: () => import("./charts/charts.js"),
    render: ({ query }) => html`<imker-charts .query=${query}></imker-charts>`,
  },
  {
    name: "api", title: "REST interface", hidden: true,
    load: () => import("./api/reference.js"),
    render: ({ query }) => html`<imker-reference .query=${query}></imker-reference>`,
  },
  {
    name: "admin", get title() { return isAdmin() ? "Admin" : "My account"; },
    load: () => import("./admin/admin.js"),
    render: ({ query }) => html`<imker-admin .query=${query}></imker-admin>`,
  },
];
