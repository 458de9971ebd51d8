// What can be pressed before anything is laid: the marbles and cards of a turn, and the places and plays of a marked
// card. Pure.
import * as choose from "./choose.js";
import { isHeaven } from "./notation.js";
import { sharesOf } from "./seven.js";
/** @import { Choice, Target, TockView, Way } from "./tock_types.js" */

const MOST = 4; // buttons: more plays are first narrowed by their marble

/**
 * The marbles that a card can move, each with the cards that do.
 * @param {TockView} view @param {number} seat
 * @returns {{place: string, owner: number, cards: Set<string>}[]}
 */
export function movable(view, seat) {
  /** @type {Map<string, {place: string, owner: number, cards: Set<string>}>} */
  const found = new Map();
  for (const card of choose.openCards(view)) {
    for (const marble of choose.marblesFor(view, seat, { ...choose.nothing(), card })) {
      const known = found.get(marble.place) ?? { ...marble, cards: new Set() };
      known.cards.add(card);
      found.set(marble.place, known);
    }
  }
  return [...found.values()];
}

/**
 * The cards that may be pressed: all that are open, or those that move the marble picked up before any card.
 * @param {TockView} view @param {number} seat @param {Choice} choice @returns {Set<string>}
 */
export function cardsFor(view, seat, choice) {
  const wanted = choice.laid ? "" : choice.marble;
  const found = wanted && movable(view, seat).find(({ place }) => place === wanted);
  return found ? found.cards : choose.openCards(view);
}

/**
 * The targets to press while no marble is picked up: one marble alone goes there, and none that could be meant instead
 * stands there. The marbles of a shared card are picked up first.
 * @param {TockView} view @param {number} seat @param {Choice} choice @returns {Target[]}
 */
export function direct(view, seat, choice) {
  const targets = choose.targetsFor(view, seat, { ...choice, marble: "" });
  const marbles = new Set(choose.marblesFor(view, seat, { ...choice, marble: "" }).map(({ place }) => place));
  if (marbles.size > 1 && sharesOf(view, choice.card)) return [];
  /** @param {Target} target */
  const spot = ({ place, owner }) => (isHeaven(place) ? `${owner}${place}` : place);
  return targets.filter(
    (target) => !marbles.has(target.place) && targets.filter((other) => spot(other) === spot(target)).length === 1,
  );
}

/**
 * Where the choice may go on the board: of the marble picked up, else of whichever goes there alone.
 * @param {TockView} view @param {number} seat @param {Choice} choice
 */
export const offered = (view, seat, choice) =>
  choice.marble ? choose.targetsFor(view, seat, choice) : direct(view, seat, choice);

/**
 * The buttons of a card: each of its plays; when they are many, a marble with several ways is one button.
 * @param {TockView} view @param {number} seat @param {Choice} choice @returns {Way[]}
 */
export function ways(view, seat, choice) {
  const targets = choose.targetsFor(view, seat, choice);
  if (choice.marble) return targets.map((target) => ({ target }));
  const once = targets.filter(
    ({ play }, i) => !play || targets.findIndex((other) => other.play === play) === i, // two own marbles change places
  );
  if (once.length <= MOST && once.every(({ play }) => play)) return once.map((target) => ({ target }));
  return choose.marblesFor(view, seat, choice).map((marble) => {
    const own = targets.filter(({ from }) => from === marble.place);
    return own.length === 1 && own[0].play ? { target: own[0] } : { marble, count: own.length };
  });
}

/**
 * The only play of the marked card, which pressing it again plays; "" when it has several, or legs to lay out.
 * @param {TockView} view @param {number} seat @param {Choice} choice
 */
export function onlyPlay(view, seat, choice) {
  if (choice.marble) {
    const targets = choose.targetsFor(view, seat, choice);
    return targets.length === 1 ? targets[0].play : "";
  }
  const listed = choose.plays(view).filter(({ card }) => card === choice.card);
  return listed.length === 1 && listed[0].legs.length < 2 && !choose.handed(view, choice) ? listed[0].text : "";
}
