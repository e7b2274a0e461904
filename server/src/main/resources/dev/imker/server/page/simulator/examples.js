// Pools to begin with; docs/simulator.md lists all that can be described.
export const EXAMPLES = [
  {
    name: "lab", title: "a small lab",
    text: `# Twenty PCs of a lab that fail now and then, and two servers.
name: lab
minutes: 600
lostAfter: 2
machines:
  - {name: pcs, count: 20, benchmark: 8000, failures: {percent: 0.2}}
  - {name: servers, count: 2, benchmark: 4000, failures: {percent: 0.01}}
work:
  - {project: pictures, user: ann, tasks: 400, minutes: {median: 4, sigma: 0.3}}
  - {project: models, user: ben, tasks: 40, minutes: {median: 45, sigma: 0.3}}
`,
  },
  {
    name: "office", title: "an office, used by day",
    text: `# Desktops whose users come in the morning, and a few servers.
name: office
minutes: 2880
start: mon 00:00
lostAfter: 2
machines:
  - name: desktops
    count: 30
    benchmark: 8000
    away: {hours: 08:30-17:30, days: mon-fri, jitter: 30}
    failures: {percent: 0.02}
  - {name: servers, count: 4, benchmark: 4000, failures: {percent: 0.002}}
work:
  - {project: thumbnails, user: ann, tasks: 600, minutes: {median: 8, sigma: 0.3}, every: 1440, times: 2}
  - {project: training, user: cem, tasks: 40, minutes: {min: 200, max: 260}}
`,
  },
];
