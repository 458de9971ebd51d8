// The dialog in which a player calls the referee. Loaded with the press: without a connection no call can be sent
// either.
import { byId, el, say, swapChildren } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";
import { icon } from "./pieces.js";
/** @import { Arguments, Boot, View } from "./types.js" */

const TEXT_MAX = 280; // characters of a call, as the protocol says

/** What a call may be about, in the order of the list. */
const kinds = () => [
  ["", gettext("I say it when the referee is here")],
  ["talk", gettext("Talking or signs between partners")],
  ["touch", gettext("A touched marble or a laid card")],
  ["illegal", gettext("A play that is not allowed")],
  ["clock", gettext("The clock")],
  ["conduct", gettext("Conduct")],
  ["other", gettext("Something else")],
];

/**
 * @typedef {{boot: Boot, view: View, left: number, without: string[], call: (args: Arguments) => void}} Asked
 *   `left`: how many calls the seat still has; `without`: kinds that are not offered
 */

/** Ask what to tell the referee, or say why nobody can be called. @param {Asked} asked */
export function openCall(asked) {
  if (/** @type {HTMLDialogElement} */ (byId("dialog")).open) return; // pressed twice while this was loaded
  if (asked.view.frozen) refuse(gettext("The clocks are stopped already."));
  else if (asked.left <= 0)
    refuse(gettext("You have called twice in this game. After the game you can dispute it from its replay."));
  else ask(asked);
}

/** @param {string} why */
function refuse(why) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));
  swapChildren(dialog, [
    el("h2", { id: "dialog-title" }, gettext("No call now")),
    el("p", {}, why),
    el(
      "div",
      { class: "row dialog-row" },
      el(
        "button",
        { type: "button", class: "button", autofocus: true, onclick: () => dialog.close() },
        gettext("Back to the game"),
      ),
    ),
  ]);
  dialog.showModal();
}

/** @param {Asked} asked */
function ask({ boot, left, without, call }) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));
  const kind = el(
    "select",
    { id: "call-kind" },
    kinds()
      .filter(([value]) => !without.includes(value))
      .map(([value, text]) => el("option", { value }, text)),
  );
  const count = el("span", { class: "help", id: "call-count" });
  const text = el("textarea", {
    id: "call-text",
    maxlength: TEXT_MAX,
    rows: 3,
    "aria-describedby": "call-help call-count",
  });
  const tell = () =>
    say(count, fill(gettext("%(count)s of %(most)s characters"), { count: text.value.length, most: TEXT_MAX }));
  text.addEventListener("input", tell);
  tell();
  const form = el(
    "form",
    { class: "call-form" },
    el("h2", { id: "dialog-title" }, gettext("Call the referee?")),
    el(
      "p",
      {},
      boot.referee?.on_duty === false || boot.referee?.wait_s === 0
        ? gettext("No referee is on duty: the call is marked, play goes on and the case is ruled after the game.")
        : gettext("All clocks stop at once, for both sides."),
    ),
    el("div", { class: "field" }, el("label", { for: "call-kind" }, gettext("What is it about? (optional)")), kind),
    el(
      "div",
      { class: "field" },
      el("label", { for: "call-text" }, gettext("In a few words (optional)")),
      text,
      el(
        "span",
        { class: "help", id: "call-help" },
        gettext("While the game goes on only the referee reads it. Name no hidden card."),
      ),
      count,
    ),
    el(
      "p",
      { class: "small muted" },
      fill(
        ngettext("You have %(count)s call left in this game.", "You have %(count)s calls left in this game.", left),
        { count: left },
      ),
    ),
    el(
      "div",
      { class: "row dialog-row" },
      el(
        "button",
        { class: "button danger full", id: "call-now", autofocus: true },
        icon("whistle"),
        gettext("Call the referee"),
      ),
      el("button", { type: "button", class: "button", onclick: () => dialog.close() }, gettext("Go on playing")),
    ),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (form.dataset.sent) return;
    form.dataset.sent = "1";
    dialog.close();
    const words = text.value.trim();
    call({ ...(kind.value ? { kind: kind.value } : {}), ...(words ? { text: words } : {}) });
  });
  swapChildren(dialog, [form]);
  dialog.showModal();
  byId("call-now").focus();
}
