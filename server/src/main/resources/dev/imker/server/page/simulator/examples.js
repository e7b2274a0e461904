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
  {
    name: "sizes", title: "a cluster, tasks of many sizes",
    text: `# Machines have cores, memory and GPUs, of which tasks take what they need.
name: sizes
minutes: 600
resources: {solver-licences: 4}
machines:
  - {name: nodes, count: 8, cores: 16, memory: 64 GB, failures: {percent: 0.01}}
  - {name: gpu-nodes, count: 2, cores: 32, memory: 128 GB, gpus: 4}
work:
  - {project: pictures, user: ann, tasks: 6000, minutes: {median: 5, sigma: 0.3}, needs: {memory: 2 GB}}
  - {project: training, user: ben, tasks: 200, minutes: {median: 20, sigma: 0.3}, needs: {cores: 2, memory: 8 GB, gpus: 0.5}}
  - {project: models, user: cem, tasks: 60, minutes: 30, needs: {cores: 8, resources: {solver-licences: 1}}}
  - {project: assembly, user: ann, tasks: 12, minutes: 40, needs: {cores: 24, memory: 100 GB}}
`,
  },
];
