// Pictures among the results of a job, small, in a grid by parameters; loaded when they come into view.
import { html, nothing } from "../lit.js";
import { blob } from "../api.js";
import { hrefWith } from "../router.js";
import { View, empty } from "../components/view.js";
import { PICTURES, address } from "./preview.js";

const MOST = 400;
const MOST_BYTES = 8 << 20;

class Pictures extends View {
  static properties = { job: { attribute: false }, rows: { attribute: false }, params: { attribute: false }, urls: { state: true } };

  constructor() {
    super();
    this.urls = new Map();
  }

  enter() {
    this.seen = new IntersectionObserver((entries) => entries.filter((one) => one.isIntersecting).forEach((one) => this.fetch(one.target)), { rootMargin: "200px" });
    this.onLeave(() => { this.seen.disconnect(); this.urls.forEach((url) => URL.revokeObjectURL(url)); });
  }

  async fetch(place) {
    this.seen.unobserve(place);
    const { task, path } = place.dataset;
    const kind = PICTURES[path.slice(path.lastIndexOf(".") + 1).toLowerCase()];
    const content = await this.load((signal) => blob(address(`${this.job.id}.${task}`, { path }), { signal, headers: { Range: `bytes=0-${MOST_BYTES - 1}` } }));
    if (content) this.urls = new Map(this.urls).set(`${task} ${path}`, URL.createObjectURL(new Blob([content], { type: kind })));
  }

  updated() {
    this.querySelectorAll(".thumbnail:not([data-watched])").forEach((place) => {
      place.dataset.watched = "yes";
      this.seen.observe(place);
    });
  }

  render() {
    const all = this.rows.flatMap((row) => row.pictures.map((path) => ({ row, path }))).slice(0, MOST);
    if (!all.length) return empty("No pictures among the results", "Result files that end in .png, .jpg, .gif, .webp or .svg appear here.");
    return html`${this.problem()}<ul class="thumbnails">${all.map(({ row, path }) => {
      const words = this.params.map((name) => `${name}=${row.params[name]}`).join(" ") || `task ${row.task}`;
      const url = this.urls.get(`${row.task} ${path}`);
      return html`<li><a href=${hrefWith({ tab: "tasks", task: row.task })}><span class="thumbnail" data-task=${row.task} data-path=${path}>
        ${url ? html`<img src=${url} alt="${path} of ${words}">` : nothing}</span><span class="small">${words}</span></a></li>`;
    })}</ul>`;
  }
}
customElements.define("imker-pictures", Pictures);
