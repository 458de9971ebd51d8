// From the list of legal plays to what a player can do next: cards, then marbles, then where to. Pure.
import { afterLeg, eatenBy, isTrack, ownerAt, parsePlay, rankOf, sideOf, startOf, wayOf } from "./notation.js";

/**
 * What the player has marked so far, on this page only.
 * @typedef {object} Choice
 * @property {string} decision   the decision it belongs to
 * @property {string} card       the marked card, or ""
 * @property {boolean} laid      the card lies at the centre (with touch off: it is settled on this page)
 * @property {{from: string, to: string}[]} legs   legs already laid out, of a seven
 * @property {string} marble     place of the marble picked up, or ""
 * @property {string} play       the whole play, waiting for "Confirm" (touch off), or ""
 */

/** @returns {Choice} */
export const nothing = (decision = "") => ({ decision, card: "", laid: false, legs: [], marble: "", play: "" });

const SEVEN = 7;
const HANDED = new Set(["burn", "give"]); // plays that are only a card
const parsed = new WeakMap();

/** @param {object} view @returns {import("./notation.js").Play[]} */
export function plays(view) {
  const legal = view.legal;
  if (!legal) return [];
  if (!parsed.has(legal)) parsed.set(legal, legal.map(parsePlay));
  return parsed.get(legal);
}

/** What the player is asked for: "play", "burn", "give", "throw", or "" when nothing. */
export function asked(view) {
  const kinds = new Set(plays(view).map((play) => play.kind));
  if (!kinds.size) return "";
  if (kinds.has("give")) return "give";
  if (kinds.has("throw")) return "throw";
  return kinds.size === 1 && kinds.has("burn") ? "burn" : "play";
}

/** The cards that may be laid, burned or given now. @returns {Set<string>} */
export const openCards = (view) => new Set(plays(view).map((play) => play.card));

/**
 * The choice as it stands after the view changed: what a touch has bound is taken over, what another decision had
 * marked is gone.
 * @param {Choice} choice @param {object} view @returns {Choice}
 */
export function settle(choice, view) {
  const touched = view.touched ?? {};
  const mine = Boolean(view.legal);
  let next = choice.decision === view.decision && mine ? { ...choice } : nothing(view.decision);
  if (!mine) return next;
  if (touched.card && (next.card !== touched.card || !next.laid)) {
    next = { ...nothing(view.decision), card: touched.card, laid: true };
  }
  const bound = touched.marble ? touched.marble.split(" ") : [];
  const loose = bound.filter((place) => !next.legs.some((leg) => leg.from === place));
  if (next.laid && loose.length) next.marble = loose[loose.length - 1];
  if (next.laid && !openCards(view).has(next.card)) next = nothing(view.decision);
  return next;
}

/** Does the play hold all legs laid out so far? Answers the legs left over, or null. */
function legsLeft(play, legs) {
  const left = [...play.legs];
  for (const leg of legs) {
    const at = left.findIndex((other) => other.from === leg.from && other.to === leg.to);
    if (at < 0) return null;
    left.splice(at, 1);
  }
  return left;
}

/** The plays still open under the choice, each with the legs left over. */
export function open(view, choice) {
  const found = [];
  for (const play of plays(view)) {
    if (choice.card && play.card !== choice.card) continue;
    const left = legsLeft(play, choice.legs);
    if (left) found.push({ play, left });
  }
  return found;
}

/** The seat that owns the marble a leg moves. */
const mover = (view, seat, leg, marbles) =>
  (isTrack(leg.from) ? ownerAt(marbles, leg.from) : undefined) ?? sideOf(view, seat);

const spacesOf = (view, owner, leg) => wayOf(view, owner, leg.from, leg.to).path.length - 1;

/** Marbles as they stand after the legs laid out so far. */
export function laidOut(view, seat, choice) {
  let marbles = view.marbles;
  for (const leg of choice.legs) {
    marbles = afterLeg(view, marbles, mover(view, seat, leg, marbles), choice.card, leg);
  }
  return marbles;
}

/**
 * The marbles that may be picked up for the chosen card.
 * @returns {{place: string, owner: number}[]} in the order of the legal list
 */
export function marblesFor(view, seat, choice) {
  const marbles = laidOut(view, seat, choice);
  const found = new Map();
  for (const { play, left } of open(view, choice)) {
    if (HANDED.has(play.kind)) continue;
    for (const leg of left) {
      if (!found.has(leg.from)) found.set(leg.from, { place: leg.from, owner: mover(view, seat, leg, marbles) });
    }
  }
  return [...found.values()];
}

/**
 * Where the picked-up marble may go.
 * @typedef {object} Target
 * @property {string} from     place of the marble that moves
 * @property {string} place    where it goes (a swap: where the other marble stands)
 * @property {number} owner    owner of the marble that moves
 * @property {number} [other]  owner of the other marble of a swap
 * @property {"move" | "heaven" | "eat" | "swap"} kind
 * @property {number[]} eaten  owners of the marbles sent back
 * @property {string} play     the whole play when this target completes it, else ""
 * @property {number} more     spaces of a seven left for the legs to come
 *
 * @returns {Target[]}
 */
export function targetsFor(view, seat, choice) {
  const marbles = laidOut(view, seat, choice);
  const found = new Map();
  for (const { play, left } of open(view, choice)) {
    for (const leg of left) {
      if (choice.marble && leg.from !== choice.marble) continue;
      const owner = mover(view, seat, leg, marbles);
      const place = play.kind === "out" ? startOf(view, owner) : leg.to;
      const key = `${leg.from}-${place}`;
      const whole = left.length === 1;
      const known = found.get(key);
      if (known && (known.play || !whole)) continue;
      const eaten = play.kind === "swap" ? [] : eatenBy(view, marbles, owner, play.card, { from: leg.from, to: place });
      let kind = "move";
      if (play.kind === "swap") kind = "swap";
      else if (!isTrack(place)) kind = "heaven";
      else if (eaten.length) kind = "eat";
      const target = { from: leg.from, place, owner, kind, eaten, play: whole ? play.text : "", more: 0 };
      if (play.kind === "swap") target.other = ownerAt(marbles, place);
      if (!whole) target.more = SEVEN - [...choice.legs, leg].reduce((sum, done) => sum + spacesOf(view, owner, done), 0);
      found.set(key, target);
    }
  }
  return [...found.values()];
}

/** The sacrifice of a ten, when the chosen card allows it: the play's text, or "". */
export const skipOf = (view, choice) =>
  open(view, choice).find(({ play }) => play.kind === "skip" && !choice.legs.length && !choice.marble)?.play.text ?? "";

/** The play that only hands over the chosen card (burn, give), or "". */
export const handed = (view, choice) =>
  open(view, choice).find(({ play }) => HANDED.has(play.kind))?.play.text ?? "";

/**
 * What is expected next: "wait", "card", "lay" (a card is marked), "marble", "target" or "confirm".
 * @param {object} view @param {Choice} choice
 */
export function stage(view, choice) {
  if (!view.legal?.length) return "wait";
  if (choice.play) return "confirm";
  if (!choice.card) return "card";
  if (!choice.laid) return "lay";
  return choice.marble ? "target" : "marble";
}

/**
 * The choice after a target was taken: complete with `play`, or one leg further.
 * @param {Choice} choice @param {{from: string, place: string, play: string}} target
 */
export function take(choice, target) {
  if (target.play) return { ...choice, play: target.play, marble: target.from };
  return { ...choice, legs: [...choice.legs, { from: target.from, to: target.place }], marble: "" };
}

/** Is that text, however it is typed, one of the legal plays? Answers its proper spelling, or "". */
export function typed(view, text) {
  const tidy = (line) => line.trim().toLowerCase().replace(/\s+/g, " ");
  const wanted = tidy(text);
  const exact = (view.legal ?? []).find((play) => tidy(play) === wanted);
  if (exact) return exact;
  // The legs of a seven may be typed in the other order: the server knows which orders are valid.
  const play = parsePlay(wanted.toUpperCase());
  return play.kind === "split" && rankOf(play.card) === "7" ? wanted.replace(/^\S+/, (card) => card.toUpperCase()) : "";
}
