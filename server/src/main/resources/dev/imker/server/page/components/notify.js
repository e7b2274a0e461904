// Tells when a job ends: in the title and the icon of the window while one looks at it, and by the browser if that is wanted.
import { get } from "../api.js";
import { words } from "../format.js";
import { failedOf, isSettled } from "./status.js";

/** A window that nobody sees has no stream: it asks now and then. */
const ASK_MILLIS = 10000;
const ICON = "icon.svg";

const watched = new Set();
let drawn;
let former;
let timer;
/** What the ring in the icon shows. */
let shown = "";

const link = () => document.querySelector("link[rel=icon]");

function setIcon(address) {
  // The browser may still be fetching the icon that is replaced now.
  if (former) URL.revokeObjectURL(former);
  former = drawn;
  drawn = address === ICON ? undefined : address;
  link().href = address;
}

/** A ring that closes, in the place of the icon. */
function ring(share, failed) {
  const round = 2 * Math.PI * 26;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><circle cx="32" cy="32" r="26" fill="none" stroke="#d8d2c4" stroke-width="12"/>
    <circle cx="32" cy="32" r="26" fill="none" stroke="${failed ? "#b3261e" : "#f5b301"}" stroke-width="12" transform="rotate(-90 32 32)" stroke-dasharray="${share * round} ${round}"/></svg>`;
  return URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
}

/** How far a job is, for somebody who looks at another window. */
export function showProgress(job) {
  const { counts, tasks, name, id, status } = job;
  const share = tasks ? counts.done / tasks : 0;
  const failed = failedOf(counts) > 0;
  document.title = `${isSettled(status) ? words(status) : `${Math.floor(100 * share)} %`} · ${name} · job ${id} · Imker`;
  const picture = isSettled(status) ? "" : `${Math.floor(100 * share)} ${failed}`;
  if (picture !== shown) setIcon(picture ? ring(share, failed) : ICON);
  shown = picture;
  if (isSettled(status)) ended(job);
}

export function hideProgress() {
  setIcon(ICON);
  shown = "";
}

export const canNotify = () => "Notification" in window;
export const isWatched = (id) => watched.has(id);

const openJob = (id) => { window.location.hash = `#/job/${id}`; };

/** On Android, notifications are the business of service workers. */
async function worker() {
  const known = await navigator.serviceWorker.register(new URL("notify-worker.js", import.meta.url));
  const coming = known.installing ?? known.waiting;
  if (!known.active) await new Promise((resolve) => { coming.addEventListener("statechange", () => coming.state === "activated" && resolve()); });
  navigator.serviceWorker.onmessage = ({ data }) => openJob(data.job);
  return known;
}

async function show(id, title, options) {
  try {
    const note = new Notification(title, options);
    note.onclick = () => {
      window.focus();
      openJob(id);
    };
  } catch {
    const page = window.location.href.replace(/#.*/, "");
    await (await worker()).showNotification(title, { ...options, data: { job: id, page } });
  }
}

function ended(job) {
  if (!watched.delete(job.id)) return;
  show(job.id, `${job.name} is ${words(job.status)}`, { body: `Job ${job.id}: ${job.counts.done} of ${job.tasks} tasks done`, icon: ICON, tag: `imker-${job.id}` })
    .catch(() => {}); // allowed a while ago, and no longer
}

async function ask() {
  for (const id of watched) {
    try {
      const job = await get(`api/v1/jobs/${id}`);
      if (isSettled(job.status)) ended(job);
    } catch (error) {
      if (error.status === 404) watched.delete(id);
    }
  }
}

/** Has the browser tell when a job ends; false if it may not. */
export async function watch(id) {
  if ((await Notification.requestPermission()) !== "granted") return false;
  timer ??= setInterval(ask, ASK_MILLIS);
  watched.add(id);
  return true;
}

export const unwatch = (id) => watched.delete(id);
