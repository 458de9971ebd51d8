// Plays as text, and where they lead on the board. Enough to show a play, never to judge one: the server's list of
// legal plays is the only authority.

import { rankOf } from "./cards.js";
import { sheetOf } from "./sheet.js";
/** @import { Leg, Marbles, Play, TockView } from "./tock_types.js" */
/** @import { Company, GameKind } from "./types.js" */

export const CASES = 18; // spaces of one seat's section

/** @param {string} text @returns {Play} */
export function parsePlay(text) {
  const words = text.trim().split(/\s+/);
  const [first, second] = words;
  if (first === "throw" || first === "deck") return { text, card: "", kind: first, legs: [] };
  if (first === "burn" || first === "blind" || first === "give") {
    return { text, card: second ?? "", kind: first, legs: [] };
  }
  if (second === "skip") return { text, card: first, kind: "skip", legs: [] };
  if (second === "out") return { text, card: first, kind: "out", legs: [{ from: "r", to: "" }] };
  const swap = /^(t\d+)x(t\d+)$/.exec(second ?? "");
  if (swap) return { text, card: first, kind: "swap", legs: [{ from: swap[1], to: swap[2] }] };
  const legs = words.slice(1).map((word) => {
    const [from, to] = word.split("-");
    return { from, to: to ?? "" };
  });
  return { text, card: first, kind: legs.length > 1 ? "split" : "move", legs };
}

/** Does the card go back? @param {GameKind} game @param {string} card */
export const goesBack = (game, card) => sheetOf(game).back.includes(rankOf(card));

/** @param {{seats: number}} view */
const lengthOf = (view) => CASES * view.seats;
/** @param {string} place */
export const spaceOf = (place) => Number(place.slice(1));
/** @param {string} place */
export const isTrack = (place) => place[0] === "t";
/** @param {string} place */
export const isCentre = (place) => place[0] === "x";
/** @param {string} place */
export const isHeaven = (place) => place[0] === "h";
/** The case 7 by which a marble came into the centre: "t25" of "x25". @param {string} place */
export const entryOf = (place) => `t${place.slice(1)}`;
/** @param {unknown} _view @param {number} seat */
export const startOf = (_view, seat) => `t${CASES * seat}`;
/** @param {{seats: number}} view @param {number} seat */
export const pieuOf = (view, seat) => (CASES * seat - 2 + lengthOf(view)) % lengthOf(view);

/** A track place as its section's seat and case number, 1 to 18. @param {string} place */
export function caseOf(place) {
  const space = spaceOf(place);
  return { seat: Math.floor(space / CASES), case: space % CASES || CASES };
}

/** Are the four marbles of a seat in heaven? @param {{marbles: Marbles}} view @param {number} seat */
export const isHome = (view, seat) => (view.marbles[seat] ?? []).every((place) => place[0] === "h");

/**
 * The seat whose marbles `seat` moves now: its own, else the next teammate clockwise who has not finished.
 * @param {TockView} view @param {number} seat
 */
export function sideOf(view, seat) {
  for (let k = 0; k < view.seats; k += view.teams) {
    const mate = (seat + k) % view.seats;
    if (!isHome(view, mate)) return mate;
  }
  return seat;
}

/** The next seat clockwise that still plays: the one a ten hits. @param {TockView} view @param {number} seat */
export function nextSeat(view, seat) {
  for (let k = 1; k < view.seats; k += 1) {
    const next = (seat + k) % view.seats;
    if (!(view.finished ?? []).includes(next)) return next;
  }
  return seat;
}

/** The places touched so far in this turn, in order. @param {TockView} view */
export const touchedPlaces = (view) => view.touched?.marbles ?? (view.touched?.marble ? [view.touched.marble] : []);

/**
 * The owner of the marble on a track place; undefined when nobody stands there.
 * @param {Marbles} marbles @param {string} place
 */
export function ownerAt(marbles, place) {
  for (const [seat, places] of Object.entries(marbles)) if (places.includes(place)) return Number(seat);
  return undefined;
}

/**
 * The places a leg goes through, from start to landing, and the jump after it.
 * @param {GameKind} view @param {number} owner @param {string} from @param {string} to @param {boolean} [back]
 */
export function wayOf(view, owner, from, to, back = false) {
  const length = lengthOf(view);
  if (from === "r" || isCentre(from) || isCentre(to)) return { path: [from, to], jump: "" };
  if (!isTrack(from)) {
    const path = [];
    for (let k = spaceOf(from); k <= spaceOf(to); k += 1) path.push(`h${k}`);
    return { path, jump: "" };
  }
  const step = back ? -1 : 1;
  /** @param {number} start @param {number} end */
  const walk = (start, end) => {
    const path = [`t${start}`];
    for (let p = start; p !== end; ) {
      p = (p + step + length) % length;
      path.push(`t${p}`);
    }
    return path;
  };
  const start = spaceOf(from);
  if (!isTrack(to)) {
    const path = walk(start, pieuOf(view, owner));
    for (let k = 1; k <= spaceOf(to); k += 1) path.push(`h${k}`);
    return { path, jump: "" };
  }
  let end = spaceOf(to);
  let jump = "";
  // No card moves more than 18: a longer way means that the marble landed on the opposite case 7 and jumped.
  if (sheetOf(view).jumps && ((end - start) * step + length) % length > CASES) {
    jump = to;
    end = (end + length / 2) % length;
  }
  return { path: walk(start, end), jump };
}

/**
 * How far a leg goes, in spaces.
 * @param {Company} company @param {number} owner @param {{from: string, to: string}} leg @param {boolean} back
 */
export const distance = (company, owner, leg, back) => wayOf(company, owner, leg.from, leg.to, back).path.length - 1;

/**
 * The track places on which a leg eats whatever stands there, in order.
 * @param {GameKind} view @param {number} owner @param {string} card @param {Leg} leg
 */
function spotsEaten(view, owner, card, leg) {
  const { sweeps, shelters } = sheetOf(view);
  const { path, jump } = wayOf(view, owner, leg.from, leg.to, goesBack(view, card));
  const landing = path[path.length - 1];
  const spots = [landing, ...(jump ? [jump] : [])].filter(isTrack);
  if (sweeps.includes(rankOf(card)) && isTrack(leg.from)) {
    spots.unshift(
      ...path.slice(1, -1).filter((place) => isTrack(place) && !(shelters && spaceOf(place) % CASES === 8)),
    );
  }
  return spots;
}

/**
 * The owners of the marbles a leg sends back, in order; `marbles` as they stand before it.
 * @param {GameKind} view @param {Marbles} marbles @param {number} owner @param {string} card @param {Leg} leg
 */
export const eatenBy = (view, marbles, owner, card, leg) =>
  spotsEaten(view, owner, card, leg)
    .map((place) => ownerAt(marbles, place))
    .filter((seat) => seat !== undefined);

/**
 * The marbles after a leg, for the next leg of a seven.
 * @param {GameKind} view @param {Marbles} marbles @param {number} owner @param {string} card @param {Leg} leg
 */
export function afterLeg(view, marbles, owner, card, leg) {
  const gone = new Set(spotsEaten(view, owner, card, leg));
  /** @type {Marbles} */
  const after = {};
  for (const [seat, places] of Object.entries(marbles)) {
    let moved = false;
    after[seat] = places.map((place) => {
      if (Number(seat) === owner && place === leg.from && !moved) {
        moved = true;
        return leg.to;
      }
      return gone.has(place) ? "r" : place;
    });
  }
  return after;
}
