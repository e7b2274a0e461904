// Dark or light: as the system says, unless the person chose otherwise.
const KEY = "imker-theme";
const CHOICES = ["system", "light", "dark"];

export function theme() {
  const kept = localStorage.getItem(KEY);
  return CHOICES.includes(kept) ? kept : "system";
}

export function applyTheme() {
  const choice = theme();
  if (choice === "system") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.setAttribute("data-theme", choice);
  window.dispatchEvent(new Event("imker-theme"));
}

export function nextTheme() {
  localStorage.setItem(KEY, CHOICES[(CHOICES.indexOf(theme()) + 1) % CHOICES.length]);
  applyTheme();
  return theme();
}

/** The present value of a colour of the style sheet, for what is drawn on a canvas. */
export function colour(name) {
  const probe = document.createElement("span");
  probe.className = "colour-probe";
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  window.dispatchEvent(new Event("imker-theme"));
});
