// What a hand owes to a lead (rulebook T5), to explain it. The server judges the play itself.
import { counted, longestRun, pairsIn, shapeOf } from "./shapes.js";
/** @import { Order, Owed } from "./types.js" */

/**
 * @param {Order} order @param {string[]} lead @param {string[]} hand
 * @param {boolean} [duty] a tractor is owed to a tractor
 * @returns {Owed | null} null when the lead mixes suits
 */
export function owedTo(order, lead, hand, duty = false) {
  const shape = shapeOf(order, lead);
  if (!shape) return null;
  const { suit, size } = shape;
  const mine = hand.filter((card) => order.suitOf(card) === suit);
  const count = Math.min(size, mine.length);
  const pairs = mine.length < size ? 0 : Math.min(shape.pairs, pairsIn(mine).length);
  let run = 0;
  if (duty && pairs > 1 && shape.parts[0].pairs > 1)
    run = Math.min(shape.parts[0].pairs, longestRun(order, pairsIn(mine)));
  return { suit, size, held: mine.length, count, free: size - count, pairs, run: run > 1 ? run : 0 };
}

/** Are all these cards in the hand, as often as they are asked for? @param {string[]} cards @param {string[]} hand */
export function within(cards, hand) {
  const held = counted(hand);
  return [...counted(cards)].every(([card, count]) => (held.get(card) ?? 0) >= count);
}

/**
 * Why a follow would be refused, in the server's words; "" when nothing speaks against it.
 * @param {Order} order @param {string[]} lead @param {string[]} hand @param {string[]} play
 * @param {boolean} [duty]
 */
export function follows(order, lead, hand, play, duty = false) {
  const owed = owedTo(order, lead, hand, duty);
  if (!owed) return "";
  if (play.length !== owed.size) return "WRONG_COUNT";
  if (!within(play, hand)) return "NOT_IN_HAND";
  const laid = play.filter((card) => order.suitOf(card) === owed.suit);
  if (laid.length !== owed.count) return "MUST_FOLLOW_SUIT";
  if (pairsIn(laid).length < owed.pairs) return "MUST_PLAY_PAIRS";
  if (longestRun(order, pairsIn(laid)) < owed.run) return "MUST_PLAY_TRACTOR";
  return "";
}

/**
 * Why a lead would be refused; "" when nothing speaks against it. A throw is challenged by the server alone.
 * @param {Order} order @param {string[]} hand @param {string[]} play
 */
export function leads(order, hand, play) {
  if (!play.length) return "WRONG_COUNT";
  if (!within(play, hand)) return "NOT_IN_HAND";
  return shapeOf(order, play) ? "" : "MIXED_SUITS";
}
