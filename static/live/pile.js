// The pile in the middle of the board: which cards it shows, and where they lie.
import { cardOnBoard } from "./pieces.js";
/** @import { Pile, TockEffect, TockView } from "./tock_types.js" */

const SHOWN = 5; // cards of a hand laid down, at most

/**
 * The pile after a step, or as a view has it.
 * @param {Pile} pile what lay there @param {TockView} view
 * @param {{set?: object, fx?: TockEffect[]}} [step] the event that led to the view
 */
export function grow(pile, view, step) {
  if (!view.pile) return [];
  const thrown = step?.fx?.find((effect) => effect[0] === "threw");
  const hand = thrown?.[0] === "threw" ? thrown[2] : undefined;
  if (hand) return [hand];
  const known = pile[pile.length - 1];
  const top = Array.isArray(known) ? known[known.length - 1] : known;
  const laid = step ? Boolean(step.set && "pile" in step.set) : top !== view.pile;
  return laid ? [...pile.flat(), view.pile].slice(-2) : pile;
}

/**
 * The last cards of the pile as nodes, a whole hand where one was laid down; `laid` lies on top.
 * @param {Pile} cards @param {string} [laid] @param {number[]} [at] the middle of the pile
 */
export function pileCards(cards, laid, [x, y] = [0, 0]) {
  const last = cards[cards.length - 1];
  const thrown = Array.isArray(last);
  const lying = laid ? [...cards.flat(), laid] : thrown ? last : cards.flat();
  const shown = lying.slice(thrown && !laid ? -SHOWN : -2);
  const spots = spotsOf(shown.length);
  return shown.map((card, i) => cardOnBoard(card, x + spots[i][0], y + spots[i][1], 2.35, spots[i][2]));
}

/** Where so many cards lie: x, y and degrees of each, from the first to the last. @param {number} count */
function spotsOf(count) {
  if (count === 1) return [[0, 0, 5]];
  if (count === 2)
    return [
      [-0.35, 0.1, -14],
      [0.3, 0, 5],
    ];
  return Array.from({ length: count }, (_, i) => {
    const away = i - (count - 1) / 2;
    return [0.8 * away, 0.07 * away ** 2, 7 * away];
  });
}
