// Questions that need an answer before something is done.
import { html, nothing } from "../lit.js";
import { render } from "../lib/lit-html/lit-html.js";
import { onNavigation } from "../router.js";

/** Shows a dialog until it is closed, or somebody goes elsewhere by the browser's own buttons. */
export function showDialog(dialog, closed = () => {}) {
  document.body.append(dialog);
  const stay = onNavigation(() => dialog.close());
  dialog.addEventListener("close", () => {
    stay();
    dialog.remove();
    closed();
  });
  dialog.showModal();
}

/**
 * Asks; resolves to the values of the form, or undefined if the person thought better of it.
 * `fields` is a template with named inputs.
 */
export function ask({ title, text = "", action = "OK", danger = false, keep = danger ? "Keep" : "Back", fields = nothing }) {
  const dialog = document.createElement("dialog");
  dialog.setAttribute("aria-labelledby", "dialog-title");
  return new Promise((resolve) => {
    let answer;
    const submit = (event) => {
      event.preventDefault();
      answer = Object.fromEntries(new FormData(event.target));
      dialog.close();
    };
    render(html`<form @submit=${submit}>
      <h2 id="dialog-title">${title}</h2>
      ${text ? html`<p>${text}</p>` : nothing}
      ${fields}
      <div class="actions">
        <button type="button" @click=${() => dialog.close()}>${keep}</button>
        <button class=${danger ? "danger" : "primary"}>${action}</button>
      </div>
    </form>`, dialog);
    showDialog(dialog, () => resolve(answer));
  });
}
