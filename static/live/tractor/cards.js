// Tractor's cards: in words, one or several, and as drawings whose corner tells rank and suit when they overlap.
import { cardWords as plainWords, theCard as plainCard } from "../cards.js";
import { el, svg } from "../dom.js";
import { fill, gettext, ngettext, pgettext } from "../i18n.js";
import { listed } from "../names.js";
import { cardlet as plainCardlet } from "../pieces.js";
import { isJoker, rankOf, suitOf, TRUMPS } from "./order.js";
import { counted, pairsIn } from "./shapes.js";
/** @import { Texts } from "../types.js" */
/** @import { Order, Shape, Trump } from "./types.js" */

/** A card in words: "queen of spades", "red joker". @param {string} card */
export function cardWords(card) {
  if (card === "RJ") return gettext("red joker");
  if (card === "BJ") return gettext("black joker");
  return plainWords(card);
}

/** A card with its article, as the object of a verb. @param {string} card */
export function theCard(card) {
  if (card === "RJ") return pgettext("card with article", "the red joker");
  if (card === "BJ") return pgettext("card with article", "the black joker");
  return plainCard(card);
}

/** An effective suit: "spades", "trumps". @param {string} suit */
export function suitWords(suit) {
  /** @type {Texts} */
  const names = {
    S: pgettext("card suit", "spades"),
    H: pgettext("card suit", "hearts"),
    D: pgettext("card suit", "diamonds"),
    C: pgettext("card suit", "clubs"),
    // Translators: all trumps together, named as a suit is: "follow trumps", "3 of trumps".
    T: pgettext("card suit", "trumps"),
  };
  return names[suit] ?? "";
}

/** Two equal cards: "queens of spades", "red jokers". @param {string} card */
export function twoOf(card) {
  if (card === "RJ") return gettext("red jokers");
  if (card === "BJ") return gettext("black jokers");
  /** @type {Texts} */
  const ranks = {
    A: pgettext("two cards", "aces"),
    J: pgettext("two cards", "jacks"),
    Q: pgettext("two cards", "queens"),
    K: pgettext("two cards", "kings"),
  };
  // Translators: two cards of the same number, as in "pair of 9s of spades"; in French and Spanish the bare number.
  const rank = ranks[rankOf(card)] ?? fill(pgettext("two cards", "%(number)ss"), { number: rankOf(card) });
  return fill(gettext("%(rank)s of %(suit)s"), { rank, suit: suitWords(suitOf(card)) });
}

/** "pair of queens of spades" @param {string} card */
export const pairWords = (card) => fill(gettext("pair of %(cards)s"), { cards: twoOf(card) });

/** Some cards, equal ones together: "pair of kings of spades, 5 of spades and red joker". @param {string[]} cards */
export const cardsWords = (cards) =>
  listed([...counted(cards)].map(([card, count]) => (count > 1 ? pairWords(card) : cardWords(card))));

/**
 * A shape by its name: "queen of spades", "pair of 9s of hearts", "tractor of 3 pairs, queen of spades high",
 * "throw of 4 cards: 1 pair and 2 single cards". @param {Shape} shape
 */
export function shapeWords(shape) {
  const [first] = shape.parts;
  if (shape.parts.length > 1) {
    // Translators: a throw leads several components of one suit at once; %(parts)s lists them.
    return fill(ngettext("throw of %(count)s card: %(parts)s", "throw of %(count)s cards: %(parts)s", shape.size), {
      count: shape.size,
      parts: partsWords(shape),
    });
  }
  if (first.pairs > 1) {
    return fill(
      ngettext("tractor of %(count)s pair, %(card)s high", "tractor of %(count)s pairs, %(card)s high", first.pairs),
      { count: first.pairs, card: cardWords(first.cards[0]) },
    );
  }
  return first.pairs ? pairWords(first.cards[0]) : cardWords(first.cards[0]);
}

/** The components of a shape, counted: "1 pair and 2 single cards". @param {Shape} shape */
export function partsWords({ parts }) {
  const said = parts
    .filter(({ pairs }) => pairs > 1)
    .map(({ pairs }) =>
      fill(ngettext("tractor of %(count)s pair", "tractor of %(count)s pairs", pairs), { count: pairs }),
    );
  const couples = parts.filter(({ pairs }) => pairs === 1).length;
  const singles = parts.filter(({ pairs }) => !pairs).length;
  if (couples) said.push(fill(ngettext("%(count)s pair", "%(count)s pairs", couples), { count: couples }));
  if (singles)
    said.push(fill(ngettext("%(count)s single card", "%(count)s single cards", singles), { count: singles }));
  return listed(said);
}

/** The trumps of a round: "trumps: hearts, rank 7", "no trump". @param {Trump} trump */
export const trumpWords = (trump) =>
  trump.suit
    ? fill(gettext("trumps: %(suit)s, rank %(rank)s"), { suit: suitWords(trump.suit), rank: trump.rank })
    : gettext("no trump");

/** The rank that a team plays at; beyond the ace it has won. @param {string} rank */
export const rankWords = (rank) =>
  rank === "won" ? gettext("past the ace") : fill(gettext("rank %(rank)s"), { rank });

/** What a show is worth, to be said: "the 2 of hearts", "a pair: the 2 of hearts twice". @param {string[]} cards */
export const showWords = (cards) =>
  pairsIn(cards).length ? fill(gettext("a pair of %(cards)s"), { cards: twoOf(cards[0]) }) : theCard(cards[0]);

/** @param {string} name @param {number} x @param {number} y @param {number} scale */
const use = (name, x, y, scale) =>
  svg("use", { href: `#suit-${name}`, transform: `translate(${x} ${y}) scale(${scale})` });

/**
 * A card of 60 by 84: rank and suit in the left corner, so that both show when the next card lies over the rest.
 * @param {string} name @param {string} [label]
 */
export function card(name, label = "") {
  const joker = isJoker(name);
  const kind = name === "RJ" ? "suit-h" : joker ? "suit-s joker-black" : `suit-${suitOf(name).toLowerCase()}`;
  const rank = rankOf(name);
  const inner = joker
    ? [use("star", 8, 3, 1.25), svg("text", { class: "card-joker", x: 23, y: 46 }, "JOKER"), use("star", 26, 50, 1.2)]
    : [
        svg("text", { class: rank === "10" ? "card-rank ten" : "card-rank", x: 5, y: 27 }, rank),
        use(suitOf(name), 7, 32, 0.92),
        use(suitOf(name), 27, 46, 1.2),
      ];
  return svg(
    "svg",
    {
      class: "card",
      viewBox: "0 0 60 84",
      role: label ? "img" : undefined,
      "aria-label": label || undefined,
      "aria-hidden": label ? undefined : "true",
    },
    svg("rect", { class: "card-face", x: 0.75, y: 0.75, width: 58.5, height: 82.5, rx: 7 }),
    svg("g", { class: kind }, ...inner),
  );
}

/** A card in running text and in lists: a small frame. @param {string} name */
export const cardlet = (name) =>
  isJoker(name)
    ? el("span", { class: "cardlet", role: "img", "aria-label": cardWords(name) }, name === "RJ" ? "★" : "☆")
    : plainCardlet(name);

/**
 * A card of the own hand as its button says it, with the suit it counts as where that is not the printed one.
 * @param {string} card @param {Order} order
 */
export const handWords = (card, order) =>
  order.suitOf(card) === TRUMPS && !isJoker(card) && suitOf(card) !== order.suit
    ? fill(gettext("%(card)s, a trump"), { card: cardWords(card) })
    : cardWords(card);
