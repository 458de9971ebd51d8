// The question before a resignation. Loaded when somebody asks to resign.
import { byId, el, swapChildren } from "./dom.js";
import { gettext } from "./i18n.js";
import { alone } from "./names.js";
/** @import { Boot } from "./types.js" */

/** Ask, and call `resign` if the answer is yes. @param {Boot} boot @param {() => unknown} resign */
export function askResign(boot, resign) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));
  const close = () => dialog.close();
  const yes = () => {
    close();
    resign();
  };
  swapChildren(dialog, [
    el("h2", { id: "dialog-title" }, gettext("Resign this game?")),
    el("p", {}, resigning(boot)),
    el(
      "div",
      { class: "row dialog-row" },
      el("button", { type: "button", class: "button danger full", onclick: yes }, gettext("Resign")),
      el("button", { type: "button", class: "button", autofocus: true, onclick: close }, gettext("Go on playing")),
    ),
  ]);
  dialog.showModal();
}

/** What resigning costs: with more than two teams the others play on. @param {Boot} boot */
function resigning(boot) {
  if (boot.teams === 2) return gettext("Your team loses the game, now and for good. Your partner is not asked.");
  if (boot.kind === "practice") return gettext("The game ends here, now and for good.");
  if (alone(boot)) return gettext("You are out of the game, now and for good. The site plays your seat to the end.");
  return gettext(
    "Your team is out of the game, now and for good. The site plays its seats to the end; nobody else is asked.",
  );
}
