// From the list of legal plays to what a player can do next: cards, then marbles, then where to. Pure.
import {
  afterLeg,
  eatenBy,
  isHeaven,
  isTrack,
  ownerAt,
  parsePlay,
  sideOf,
  startOf,
  touchedPlaces,
} from "./notation.js";
import { orders, sharesOf } from "./seven.js";
/** @import { Choice, Leg, Marbles, Play, Target, TockView } from "./tock_types.js" */

/** @param {string} [decision] @returns {Choice} */
export const nothing = (decision = "") => ({ decision, card: "", laid: false, legs: [], marble: "", play: "" });

const HANDED = new Set(["burn", "give"]); // plays that are only a card
/** @type {WeakMap<string[], Play[]>} */
const parsed = new WeakMap();

/** @param {TockView} view @returns {Play[]} */
export function plays(view) {
  const legal = view.legal;
  if (!legal) return [];
  const known = parsed.get(legal) ?? legal.map(parsePlay);
  parsed.set(legal, known);
  return known;
}

/** What the player is asked for: "play", "burn", "give", "throw", or "" when nothing. @param {TockView} view */
export function asked(view) {
  const kinds = new Set(plays(view).map((play) => play.kind));
  if (!kinds.size) return "";
  if (kinds.has("give")) return "give";
  if (kinds.has("throw")) return "throw";
  return kinds.size === 1 && kinds.has("burn") ? "burn" : "play";
}

/** The cards that may be laid, burned or given now. @param {TockView} view @returns {Set<string>} */
export const openCards = (view) => new Set(plays(view).map((play) => play.card));

/**
 * The choice as it stands after the view changed: what a touch has bound is taken over, what another decision had
 * marked is gone.
 * @param {Choice} choice @param {TockView} view @returns {Choice}
 */
export function settle(choice, view) {
  const touched = view.touched ?? {};
  const mine = Boolean(view.legal);
  let next = choice.decision === view.decision && mine ? { ...choice } : nothing(view.decision);
  if (!mine) return next;
  if (touched.card && (next.card !== touched.card || !next.laid)) {
    next = { ...nothing(view.decision), card: touched.card, laid: true };
  }
  const loose = touchedPlaces(view).filter((place) => !next.legs.some((leg) => leg.from === place));
  if (next.laid && loose.length) next.marble = loose[loose.length - 1];
  if (next.laid && !openCards(view).has(next.card)) next = nothing(view.decision);
  return next;
}

/** Are the legs laid out so far the first ones of the play? @param {Play} play @param {Leg[]} legs */
const begins = (play, legs) => legs.every((leg, i) => play.legs[i]?.from === leg.from && play.legs[i]?.to === leg.to);

/**
 * Two own marbles that change places are listed once; either may be picked up first.
 * @param {TockView} view @param {number} seat @param {Play} play
 */
function turned(view, seat, play) {
  const [leg] = play.legs;
  if (play.kind !== "swap" || ownerAt(view.marbles, leg.to) !== sideOf(view, seat)) return [];
  return [{ play, left: [{ from: leg.to, to: leg.from }] }];
}

/**
 * The plays still open under the choice, each with the legs left over, in order.
 * @param {TockView} view @param {number} seat @param {Choice} choice @returns {{play: Play, left: Leg[]}[]}
 */
export function open(view, seat, choice) {
  const listed = plays(view).filter((play) => !choice.card || play.card === choice.card);
  const shared = choice.card && sharesOf(view, choice.card) && listed.some((play) => !HANDED.has(play.kind));
  return (shared ? orders(view, seat, choice.card) : listed)
    .filter((play) => begins(play, choice.legs))
    .flatMap((play) => [{ play, left: play.legs.slice(choice.legs.length) }, ...turned(view, seat, play)]);
}

/**
 * The seat that owns the marble a leg moves.
 * @param {TockView} view @param {number} seat @param {Leg} leg @param {Marbles} marbles
 */
const mover = (view, seat, leg, marbles) =>
  (isTrack(leg.from) ? ownerAt(marbles, leg.from) : undefined) ?? sideOf(view, seat);

/**
 * Marbles as they stand after the legs laid out so far.
 * @param {TockView} view @param {number} seat @param {Choice} choice
 */
export function laidOut(view, seat, choice) {
  let marbles = view.marbles;
  for (const leg of choice.legs) {
    marbles = afterLeg(view, marbles, mover(view, seat, leg, marbles), choice.card, leg);
  }
  return marbles;
}

/**
 * The marbles that may be picked up for the chosen card.
 * @param {TockView} view @param {number} seat @param {Choice} choice
 * @returns {{place: string, owner: number}[]} in the order of the legal list
 */
export function marblesFor(view, seat, choice) {
  const marbles = laidOut(view, seat, choice);
  /** @type {Map<string, {place: string, owner: number}>} */
  const found = new Map();
  for (const {
    play,
    left: [leg],
  } of open(view, seat, choice)) {
    if (HANDED.has(play.kind) || !leg || found.has(leg.from)) continue;
    found.set(leg.from, { place: leg.from, owner: mover(view, seat, leg, marbles) });
  }
  return [...found.values()];
}

/**
 * Where the picked-up marble may go.
 * @param {TockView} view @param {number} seat @param {Choice} choice @returns {Target[]}
 */
export function targetsFor(view, seat, choice) {
  const marbles = laidOut(view, seat, choice);
  /** @type {Map<string, Target>} */
  const found = new Map();
  for (const {
    play,
    left: [leg, ...rest],
  } of open(view, seat, choice)) {
    if (!leg || (choice.marble && leg.from !== choice.marble)) continue;
    const owner = mover(view, seat, leg, marbles);
    const place = play.kind === "out" ? startOf(view, owner) : leg.to;
    const key = `${leg.from}-${place}`;
    const whole = !rest.length;
    const known = found.get(key);
    if (known && (known.play || !whole)) continue;
    const swap = play.kind === "swap";
    const eaten = swap ? [] : eatenBy(view, marbles, owner, play.card, { from: leg.from, to: place });
    /** @type {Target["kind"]} */
    let kind = swap ? "swap" : "move";
    if (eaten.length) kind = "eat";
    if (isHeaven(place)) kind = "heaven";
    const more = rest.reduce((sum, { steps = 0 }) => sum + steps, 0);
    found.set(key, {
      from: leg.from,
      place,
      owner,
      kind,
      eaten,
      play: whole ? play.text : "",
      more,
      ...(swap && { other: ownerAt(marbles, place) }),
    });
  }
  return [...found.values()];
}

/**
 * The spaces of a shared card that are still to be laid out.
 * @param {TockView} view @param {number} seat @param {Choice} choice
 */
export const leftOver = (view, seat, choice) =>
  (open(view, seat, choice)[0]?.left ?? []).reduce((sum, { steps = 0 }) => sum + steps, 0);

/**
 * The sacrifice of a ten, when the chosen card allows it: the play's text, or "".
 * @param {TockView} view @param {Choice} choice
 */
export const skipOf = (view, choice) =>
  plays(view).find((play) => play.kind === "skip" && play.card === choice.card && !choice.legs.length && !choice.marble)
    ?.text ?? "";

/** The play that only hands over the chosen card (burn, give), or "". @param {TockView} view @param {Choice} choice */
export const handed = (view, choice) =>
  plays(view).find((play) => HANDED.has(play.kind) && (!choice.card || play.card === choice.card))?.text ?? "";

/**
 * What is expected next: "wait", "throw", "card", "lay" (a card is marked), "marble", "target" or "confirm".
 * @param {TockView} view @param {Choice} choice
 */
export function stage(view, choice) {
  if (!view.legal?.length) return "wait";
  if (asked(view) === "throw") return "throw";
  if (choice.play) return "confirm";
  if (!choice.card) return "card";
  if (choice.marble) return "target";
  return choice.laid ? "marble" : "lay";
}

/**
 * The choice after a target was taken: complete with `play`, or one leg further.
 * @param {Choice} choice @param {{from: string, place: string, play: string}} target
 */
export function take(choice, target) {
  if (target.play && !choice.legs.length) return { ...choice, play: target.play, marble: target.from };
  return { ...choice, legs: [...choice.legs, { from: target.from, to: target.place }], marble: "", play: target.play };
}

/**
 * The choice with its last step undone, or null when nothing is only marked: what is touched stays.
 * @param {Choice} choice @param {boolean} touch
 */
export function back(choice, touch) {
  if (choice.legs.length) return { ...choice, legs: choice.legs.slice(0, -1), marble: "", play: "" };
  if (choice.play) return { ...choice, play: "" };
  if (choice.marble && !(choice.laid && touch)) return { ...choice, marble: "" };
  if (choice.card && (!choice.laid || !touch)) return nothing(choice.decision);
  return null;
}

/**
 * Is that text, however it is typed, one of the legal plays? Answers its proper spelling, or "".
 * @param {TockView} view @param {string} text
 */
export function typed(view, text) {
  /** @param {string} line */
  const tidy = (line) => line.trim().toLowerCase().replace(/\s+/g, " ");
  const wanted = tidy(text);
  const exact = (view.legal ?? []).find((play) => tidy(play) === wanted);
  if (exact) return exact;
  // The legs of a seven may be typed in another order: the server knows which orders are valid.
  const play = parsePlay(wanted.toUpperCase());
  return play.kind === "split" && sharesOf(view, play.card)
    ? wanted.replace(/^\S+/, (/** @type {string} */ card) => card.toUpperCase())
    : "";
}
