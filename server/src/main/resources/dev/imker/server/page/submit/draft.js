// What somebody has begun to write stays while they look elsewhere, or come back another day.
import { session } from "../session.js";
import { fromForm } from "./form.js";

/** Chosen files cannot be stored longer than the page is open. */
let files = [];
let owner;

const key = () => `imker-draft-${session.me?.user}`;

/** The draft of who is logged in; nothing if there is none. */
export function draft() {
  if (owner !== key()) files = [];
  try {
    const kept = JSON.parse(localStorage.getItem(key()));
    if (!kept) return {};
    if (!files.length && !kept.byHand && kept.form.inputs?.length) {
      kept.form.inputs = [];
      kept.file = fromForm(kept.form);
    }
    return { ...kept, files };
  } catch {
    return {};
  }
}

export function keepDraft(view) {
  owner = key();
  files = view.files;
  try {
    localStorage.setItem(key(), JSON.stringify({ form: view.form, file: view.file, byHand: view.byHand }));
  } catch {
    // The browser keeps nothing, or the file is too large for it.
  }
}

export function dropDraft() {
  files = [];
  localStorage.removeItem(key());
}
