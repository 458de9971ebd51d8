// The few phrases that players may say before the first deal and after the end: between them the table is silent.
import { gettext } from "./i18n.js";
/** @import { Texts } from "./types.js" */

/** @param {string} [code] */
export function phraseWords(code = "") {
  /** @type {Texts} */
  const words = {
    good_game: gettext("Good game!"),
    ready: gettext("Ready when you are."),
    short_pause: gettext("A short pause, please."),
    thanks: gettext("Thank you!"),
  };
  return words[code] ?? "";
}
