// The status page: one reading at the start, then server-sent events.
const SHOWN_JOBS = 50;
const jobs = new Map();
const $ = (id) => document.getElementById(id);

async function get(path) {
  const answer = await fetch(path, { headers: { Accept: "application/json" } });
  if (answer.status === 401) {
    showLogin();
    throw new Error("not logged in");
  }
  if (!answer.ok) throw new Error((await answer.json()).error.message);
  return answer.json();
}

function showLogin() {
  $("content").hidden = true;
  $("login").hidden = false;
  $("connection").textContent = "not logged in";
}

function row(...cells) {
  const line = document.createElement("tr");
  for (const cell of cells) {
    const box = document.createElement("td");
    if (cell instanceof Node) box.append(cell);
    else box.textContent = cell;
    line.append(box);
  }
  return line;
}

function word(text, kind) {
  const span = document.createElement("span");
  span.textContent = text;
  span.className = kind;
  return span;
}

function bar(job) {
  const bar = document.createElement("progress");
  const c = job.counts;
  bar.max = job.tasks;
  bar.value = c.done + c.failed + c.autoBlocked + c.cancelled;
  bar.setAttribute("aria-label", `progress of job ${job.id}`);
  return bar;
}

function drawJobs() {
  const newest = [...jobs.values()].sort((a, b) => b.id - a.id).slice(0, SHOWN_JOBS);
  for (const id of [...jobs.keys()]) if (!newest.some((job) => job.id === id)) jobs.delete(id);
  $("no-jobs").hidden = newest.length > 0;
  $("jobs").replaceChildren(...newest.map((job) => row(
    String(job.id), job.name, word(job.status.toLowerCase(), job.status.toLowerCase()), bar(job),
    `${job.counts.done} of ${job.tasks}`, String(job.counts.running),
    String(job.counts.failed + job.counts.autoBlocked), new Date(job.submitted).toLocaleString())));
}

function drawNodes(nodes) {
  $("nodes").replaceChildren(...nodes.map((node) => row(
    node.name, node.connected ? word("connected", "connected") : word("away", "away"),
    `${node.platform.os} ${node.platform.arch}`, String(node.platform.cores),
    `${Math.round(node.platform.memoryBytes / 2 ** 30)} GB`, String(node.slots),
    String(node.running))));
}

function drawPool(pool) {
  $("pool").textContent = pool.name;
  document.title = `${pool.name} · Imker`;
  const shown = { ...pool.tasks, agents: pool.agents, slots: pool.slots };
  $("counts").replaceChildren(...Object.entries(shown).map(([name, value]) => {
    const box = document.createElement("div");
    const term = document.createElement("dt");
    const number = document.createElement("dd");
    term.textContent = name.replace(/[A-Z]/g, (c) => " " + c.toLowerCase());
    number.textContent = value.toLocaleString();
    box.append(term, number);
    return box;
  }));
}

let poolDue = false;
function refreshPool() {
  if (poolDue) return;
  poolDue = true;
  setTimeout(async () => {
    poolDue = false;
    try { drawPool(await get("/api/v1/pool")); } catch { /* the event stream tells the state */ }
  }, 1000);
}

async function begin() {
  drawPool(await get("/api/v1/pool"));
  for (const job of (await get(`/api/v1/jobs?limit=${SHOWN_JOBS}`)).jobs) jobs.set(job.id, job);
  drawJobs();
  $("content").hidden = false;
  const events = new EventSource("/api/v1/events");
  events.addEventListener("open", () => { $("connection").textContent = "live"; });
  events.addEventListener("error", () => { $("connection").textContent = "reconnecting…"; });
  events.addEventListener("job", (event) => {
    const job = JSON.parse(event.data);
    jobs.set(job.id, job);
    requestAnimationFrame(drawJobs);
    refreshPool();
  });
  events.addEventListener("nodes", (event) => {
    drawNodes(JSON.parse(event.data).nodes);
    refreshPool();
  });
}

begin().catch((error) => { if ($("login").hidden) $("connection").textContent = error.message; });
