// The record of a game as steps, and the steps a reader stops at. Pure.
import { hold, reduce } from "./reducer.js";
import { isRuling } from "./rulings.js";
/** @import { Clocks, Events, GameEvent, Happening, Held, Snap, View } from "./types.js" */

/**
 * A step of a replay: the start, or an event with the views around it; `view`: as it stands then; and what the game
 * carries.
 * @template {View} V @template {GameEvent} E @template C
 * @typedef {Partial<E> & C & {seq: number, view: V, clocks: Clocks, before?: V, after?: V}} ReplayStep
 */

/**
 * The record as steps: one per event, with the view before and after it.
 * @template {View} V @template {GameEvent} E @template C
 * @param {[Snap, ...Events[]]} frames
 * @param {(last: ReplayStep<V, E, C> | null, view: V, event?: E) => C} carry what else a step holds, from the last one
 * @returns {ReplayStep<V, E, C>[]}
 */
export function stepsOf([first, ...frames], carry = () => /** @type {C} */ ({})) {
  const held = /** @type {Held<V>} */ (hold(first));
  const start = { seq: held.seq, view: held.view, clocks: held.clocks, ...carry(null, held.view) };
  const steps = [/** @type {ReplayStep<V, E, C>} */ (start)];
  for (const frame of frames) {
    // A record is of one family: its views and events are of that family.
    for (const [i, event] of /** @type {E[]} */ (frame.list).entries()) {
      const last = steps[steps.length - 1];
      const view = reduce(last.view, event);
      const clocks = i === frame.list.length - 1 ? (frame.clocks ?? {}) : last.clocks;
      steps.push({ ...event, before: last.view, after: view, view, clocks, ...carry(last, view, event) });
    }
  }
  return steps;
}

/** What somebody played: decks and draws are the table's. @param {Happening} step */
export const isPlay = (step) => step.k === "play" && !/^(deck|draw)\b/.test(step.d?.play ?? "");

/**
 * Calls for the referee and rulings, as far as they change something or tell why the game stood still.
 * @param {Happening} step
 */
export const isAct = (step) =>
  step.k !== "play" &&
  step.k !== "resume" &&
  step.k !== "hold" &&
  step.k !== "free" &&
  isRuling(step) &&
  !(step.k === "freeze" && step.d?.by === "call");

/**
 * The steps a reader stops at: the start (of a game that begins at a position, that position), every play of a seat,
 * every call and ruling, the end.
 * @param {Happening[]} steps @returns {number[]} indices
 */
export function stops(steps) {
  const first = Math.max(
    0,
    steps.findIndex((step) => step.k === "begin"),
  );
  return steps
    .map((_, i) => i)
    .filter((i) => i >= first && (i === first || i === steps.length - 1 || isPlay(steps[i]) || isAct(steps[i])));
}

/**
 * The number of the play shown at each stop: what is no play has none of its own, and a play that was taken back keeps
 * its own. Case pages count the same (`games/selectors/plays.py`).
 * @param {Happening[]} steps @param {number[]} at @returns {number[]}
 */
export function numbersOf(steps, at) {
  let count = 0;
  return at.map((i) => {
    if (isPlay(steps[i])) count += 1;
    return count;
  });
}

/**
 * The numbers of the first and the last play that a rewind takes back; the first is after the last one when it takes
 * back touches only.
 * @param {Happening[]} steps @param {Happening} rewind @returns {[number, number]}
 */
export function takenBack(steps, rewind) {
  const upto = (/** @type {number} */ seq) => steps.filter((step) => isPlay(step) && (step.seq ?? 0) <= seq).length;
  return [upto(rewind.d?.to ?? 0) + 1, upto(rewind.seq ?? 0)];
}
