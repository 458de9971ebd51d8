// The dialog with the settings: the server has drawn it, here it shows and keeps what is chosen. Loaded with the first
// press.
import { all, say, the } from "./dom.js";

/** @typedef {HTMLInputElement | HTMLSelectElement} Control */

const KEY = "tock.settings"; // read by theme.js before the first paint
const root = document.documentElement;

/** @param {Control} control */
const isSwitch = (control) => control.type === "checkbox";

/** @param {Control} control */
function shownBy(control) {
  if (isSwitch(control)) return /** @type {HTMLInputElement} */ (control).checked ? "on" : "off";
  return control.value;
}

/** Show what holds now. @param {Control} control */
function show(control) {
  const value = root.dataset[control.name] ?? control.dataset.default ?? "";
  if (isSwitch(control)) /** @type {HTMLInputElement} */ (control).checked = value === "on";
  else control.value = value;
}

/** Keep a value on this device, beside the others. @param {string} name @param {string} value */
function keepHere(name, value) {
  let known = {};
  try {
    known = JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    // Something else lies there: it is replaced.
  }
  localStorage.setItem(KEY, JSON.stringify({ ...known, [name]: value }));
}

/**
 * Keep it for the account too.
 * @param {string} address @param {string} csrf @param {{[name: string]: string}} chosen
 */
async function keepThere(address, csrf, chosen) {
  const reply = await fetch(address, {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json", "X-CSRFToken": csrf },
    body: JSON.stringify(chosen),
  });
  if (!reply.ok) throw new Error(String(reply.status));
}

/**
 * @param {HTMLDialogElement} dialog @param {string} csrf @param {() => void} sample lets hear what is chosen
 */
export function open(dialog, csrf, sample) {
  if (!dialog.dataset.bound) bind(dialog, csrf, sample);
  dialog.dataset.bound = "yes";
  for (const control of /** @type {Control[]} */ (all(dialog, "[name]"))) show(control);
  say(the(dialog, "#settings-said"), "");
  dialog.showModal();
}

/** @param {HTMLDialogElement} dialog @param {string} csrf @param {() => void} sample */
function bind(dialog, csrf, sample) {
  const said = the(dialog, "#settings-said");
  if (!("vibrate" in navigator)) for (const row of all(dialog, "[data-vibration]")) row.hidden = true;
  the(dialog, "[data-close-settings]").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close()); // beside the box
  dialog.addEventListener("change", async (event) => {
    const control = /** @type {Control} */ (event.target);
    const { name } = control;
    const value = shownBy(control);
    root.dataset[name] = value;
    document.dispatchEvent(new Event("settings"));
    if ((name === "sound" && value === "on") || name === "volume") sample();
    if (name === "vibration" && value === "on") navigator.vibrate?.(120);
    let fault = "";
    try {
      keepHere(name, value);
    } catch {
      fault = said.dataset.device ?? "";
    }
    try {
      if (dialog.dataset.account) await keepThere(dialog.dataset.account, csrf, { [name]: value });
    } catch {
      fault ||= said.dataset.failed ?? "";
    }
    say(said, fault);
  });
}
