// What stands above what in a round, for sorting a hand and naming a choice (rulebook T2). The server alone judges
// plays.

/** @import { Order, TractorSheet, TractorView, Trump } from "./types.js" */

export const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
export const SUITS = "CDHS";
export const TRUMPS = "T"; // the effective suit of all trumps; the others are their letters

// Places at the top of the trumps; plain cards stand below, closed up over the rank of the round.
const [OTHER_RANK, OWN_RANK, BLACK, RED] = [12, 13, 14, 15];
/** @type {{[rank: string]: number | undefined}} */
const POINTS = { K: 10, 10: 10, 5: 5 };

/** @param {string} card */
export const isJoker = (card) => card === "BJ" || card === "RJ";
/** @param {string} card */
export const rankOf = (card) => (isJoker(card) ? card : card.slice(0, -1));
/** @param {string} card */
export const suitOf = (card) => (isJoker(card) ? "" : card.slice(-1));

/** The points in some cards: a king and a 10 count 10, a 5 counts 5. @param {string[]} cards */
export const pointsIn = (cards) => cards.reduce((sum, card) => sum + (POINTS[rankOf(card)] ?? 0), 0);

/**
 * The order of a round.
 * @param {Trump} trump
 * @param {boolean} [keepsRank] in a no-trump round the rank's cards stay trumps: a house rule, and how a hand is sorted
 *        before trumps are named
 * @returns {Order}
 */
export function orderOf({ rank, suit }, keepsRank = false) {
  const trumpRank = suit || keepsRank ? rank : undefined;
  const place = RANKS.indexOf(trumpRank ?? "");
  return {
    rank: trumpRank,
    suit,
    suitOf(card) {
      return isJoker(card) || rankOf(card) === trumpRank || suitOf(card) === suit ? TRUMPS : suitOf(card);
    },
    levelOf(card) {
      if (card === "BJ") return BLACK;
      if (card === "RJ") return RED;
      const at = RANKS.indexOf(rankOf(card));
      if (at === place) return !suit || suitOf(card) === suit ? OWN_RANK : OTHER_RANK;
      return place < 0 || at < place ? at : at - 1;
    },
  };
}

/**
 * The order a view is to be sorted by: before trumps are named the rank's cards stand with the jokers.
 * @param {TractorView} view
 * @param {Partial<TractorSheet>} [sheet]
 */
export function orderOfView(view, sheet = {}) {
  if (view.trump) return orderOf(view.trump, sheet.keeps_rank);
  return orderOf({ rank: rankOfRound(view) }, true);
}

/**
 * The trump rank of the round: that of the declarers; in round one both teams have the same.
 * @param {TractorView} view
 */
export const rankOfRound = (view) => view.trump?.rank ?? view.ranks?.[view.declarers ?? 0] ?? RANKS[0];

/** Cards from high to low; equal ones stand together. @param {Order} order @param {string[]} cards */
export const sorted = (order, cards) =>
  [...cards].sort(
    (a, b) =>
      order.levelOf(b) - order.levelOf(a) ||
      SUITS.indexOf(suitOf(b)) - SUITS.indexOf(suitOf(a)) ||
      (a < b ? -1 : Number(a > b)),
  );

const SHOWN = ["S", "H", "C", "D"]; // red and black by turns

/**
 * A hand by effective suit, trumps first.
 * @param {Order} order @param {string[]} cards @returns {{suit: string, cards: string[]}[]}
 */
export const groupsOf = (order, cards) =>
  [TRUMPS, ...SHOWN]
    .map((suit) => ({
      suit,
      cards: sorted(
        order,
        cards.filter((card) => order.suitOf(card) === suit),
      ),
    }))
    .filter((group) => group.cards.length);
