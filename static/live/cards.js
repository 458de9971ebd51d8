// Cards in the words of the page's language.
import { fill, gettext, pgettext } from "./i18n.js";
import { sheetOf } from "./sheet.js";
/** @import { GameKind, Texts } from "./types.js" */

/** The rank of a card: "10" of "10S"; a joker is its own rank. @param {string} card */
export const rankOf = (card) => (card === "JK" ? "JK" : card.slice(0, -1));

/** @returns {Texts} */
const cardSuits = () => ({
  S: pgettext("card suit", "spades"),
  H: pgettext("card suit", "hearts"),
  D: pgettext("card suit", "diamonds"),
  C: pgettext("card suit", "clubs"),
});

/** @param {string} card */
export function cardWords(card) {
  if (card === "JK") return gettext("joker");
  if (card === "??") return gettext("hidden card");
  /** @type {Texts} */
  const ranks = {
    A: pgettext("card", "ace"),
    J: pgettext("card", "jack"),
    Q: pgettext("card", "queen"),
    K: pgettext("card", "king"),
  };
  const suits = cardSuits();
  const rank = rankOf(card);
  // Translators: a playing card, for instance "king of spades".
  return fill(gettext("%(rank)s of %(suit)s"), { rank: ranks[rank] ?? rank, suit: suits[card.slice(-1)] });
}

/** A card with its article, as the object of a verb: "the king of spades", "le roi de pique". @param {string} card */
export function theCard(card) {
  if (card === "JK") return pgettext("card with article", "the joker");
  /** @type {Texts} */
  const ranks = {
    A: pgettext("card with article", "the ace"),
    J: pgettext("card with article", "the jack"),
    Q: pgettext("card with article", "the queen"),
    K: pgettext("card with article", "the king"),
  };
  const rank = rankOf(card);
  const named = ranks[rank] ?? fill(pgettext("card with article", "the %(number)s"), { number: rank });
  const suit = cardSuits()[card.slice(-1)];
  return suit ? fill(gettext("%(rank)s of %(suit)s"), { rank: named, suit }) : cardWords(card);
}

/**
 * What a card does, as printed at its foot: one or two words, a second line after a line break.
 * @param {GameKind} game @param {string} card
 */
export const effectWords = (game, card) => sheetOf(game).effects[rankOf(card)] ?? "";
