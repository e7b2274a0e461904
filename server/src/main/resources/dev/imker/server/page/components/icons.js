// Line drawings, 24 by 24.
import { svg, html } from "../lit.js";

const DRAWINGS = {
  overview: svg`<path d="M3 12h4l3 7 4-14 3 7h4"/>`,
  jobs: svg`<path d="M8 6h13M8 12h13M8 18h13M3.500 6h.01M3.500 12h.01M3.500 18h.01"/>`,
  submit: svg`<path d="M12 19V5M5 12l7-7 7 7"/>`,
  nodes: svg`<rect x="3" y="4" width="18" height="7" rx="1.500"/><rect x="3" y="13" width="18" height="7" rx="1.500"/><path d="M7 7.500h.01M7 16.500h.01"/>`,
  planner: svg`<circle cx="6" cy="6" r="2.500"/><circle cx="18" cy="12" r="2.500"/><circle cx="6" cy="18" r="2.500"/><path d="M8.500 7l7 4M8.500 17l7-4"/>`,
  simulator: svg`<path d="M12 3a9 9 0 1 0 9 9M12 7v5l3 2M21 3v5h-5"/>`,
  charts: svg`<path d="M7 4v3M7 15v4M5 7h4v8H5zM17 3v5M17 17v4M15 8h4v9h-4z"/>`,
  docs: svg`<path d="M4 5c3-1.500 6-1 8 1 2-2 5-2.500 8-1v14c-3-1.500-6-1-8 1-2-2-5-2.500-8-1zM12 6v14"/>`,
  api: svg`<path d="M8 7l-5 5 5 5M16 7l5 5-5 5M14 4l-4 16"/>`,
  admin: svg`<circle cx="12" cy="8" r="3.500"/><path d="M5 20c0-4 3-6 7-6s7 2 7 6"/>`,
  search: svg`<circle cx="11" cy="11" r="6.500"/><path d="M16 16l5 5"/>`,
  menu: svg`<path d="M4 7h16M4 12h16M4 17h16"/>`,
  system: svg`<circle cx="12" cy="12" r="8"/><path d="M12 4v16a8 8 0 0 0 0-16z" fill="currentColor"/>`,
  light: svg`<circle cx="12" cy="12" r="4"/><path d="M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.500 1.500M17.500 17.500L19 19M5 19l1.500-1.500M17.500 6.500L19 5"/>`,
  dark: svg`<path d="M20 14.500A8.500 8.500 0 0 1 9.500 4 8.500 8.500 0 1 0 20 14.500z"/>`,
  out: svg`<path d="M15 4h4v16h-4M10 8l-4 4 4 4M6 12h10"/>`,
};

export const icon = (name) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${DRAWINGS[name]}</svg>`;
