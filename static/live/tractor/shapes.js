// The shape of a choice: tractors, pairs and singles (rulebook T4), so that the page can name it.
import { SUITS, sorted, suitOf } from "./order.js";
/** @import { Order, Part, Shape } from "./types.js" */

/** @param {string} a @param {string} b */
const byLetter = (a, b) => SUITS.indexOf(suitOf(a)) - SUITS.indexOf(suitOf(b));

/** How often each card is there. @param {string[]} cards @returns {Map<string, number>} */
export function counted(cards) {
  const many = new Map();
  for (const card of cards) many.set(card, (many.get(card) ?? 0) + 1);
  return many;
}

/** The cards held twice. @param {string[]} cards */
export const pairsIn = (cards) => [...counted(cards)].filter(([, count]) => count > 1).map(([card]) => card);

/**
 * The one effective suit of some cards, "" when they mix suits or there are none.
 * @param {Order} order @param {string[]} cards
 */
export function suitOfAll(order, cards) {
  const suits = new Set(cards.map(order.suitOf));
  return suits.size === 1 ? [...suits][0] : "";
}

/**
 * The shape of cards of one effective suit, null when they mix suits or there are none.
 * @param {Order} order @param {string[]} cards @returns {Shape | null}
 */
export function shapeOf(order, cards) {
  const suit = suitOfAll(order, cards);
  if (!suit) return null;
  const pairs = pairsIn(cards);
  return { suit, size: cards.length, pairs: pairs.length, parts: partsOf(order, cards, pairs) };
}

/**
 * Tractors, the longest first, then pairs, then singles, higher ones first. Pairs form maximal runs of consecutive
 * levels; where several suits share a level that a run needs, the first in the order C D H S joins it.
 * @param {Order} order @param {string[]} cards @param {string[]} pairs
 */
function partsOf(order, cards, pairs) {
  /** @type {Map<number, string[]>} */
  const at = new Map();
  for (const card of [...pairs].sort(byLetter))
    at.set(order.levelOf(card), [...(at.get(order.levelOf(card)) ?? []), card]);
  /** @type {string[][]} */
  const runs = [];
  /** @type {string[][]} */
  const couples = [];
  /** @type {string[]} */
  let run = [];
  for (const level of [...at.keys()].sort((a, b) => b - a)) {
    if (run.length && order.levelOf(run[run.length - 1]) !== level + 1) {
      runs.push(run);
      run = [];
    }
    const [first, ...others] = at.get(level) ?? [];
    run.push(first);
    couples.push(...others.map((card) => [card]));
  }
  if (run.length) runs.push(run);
  /** @param {string[]} list @returns {Part} */
  const part = (list) => ({
    pairs: list.length,
    top: order.levelOf(list[0]),
    cards: list.flatMap((card) => [card, card]),
  });
  /** @param {Part} a @param {Part} b */
  const high = (a, b) => b.pairs - a.pairs || b.top - a.top || byLetter(a.cards[0], b.cards[0]);
  const singles = sorted(
    order,
    cards.filter((card) => !pairs.includes(card)),
  ).map((card) => ({ pairs: 0, top: order.levelOf(card), cards: [card] }));
  return [...[...runs, ...couples].map(part).sort(high), ...singles.sort(high)];
}

/**
 * The length of the longest run of consecutive levels among some pairs, 0 for none.
 * @param {Order} order @param {string[]} pairs
 */
export function longestRun(order, pairs) {
  const levels = new Set(pairs.map(order.levelOf));
  let longest = 0;
  for (const level of levels) {
    let length = 1;
    while (levels.has(level + length)) length += 1;
    longest = Math.max(longest, length);
  }
  return longest;
}
