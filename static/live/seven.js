// A card shared among several marbles: every order in which its legs can be laid. The server lists one play for each
// position that can be reached; here the orders are found that lead to those very positions, so that the player may lay
// the legs as he likes. An order that ends anywhere else is not offered: the server's list decides what is legal.
import { rankOf } from "./cards.js";
import {
  afterLeg,
  CASES,
  isHeaven,
  isTrack,
  parsePlay,
  pieuOf,
  sideOf,
  spaceOf,
  startOf,
  touchedPlaces,
} from "./notation.js";
import { sheetOf } from "./sheet.js";
/** @import { Leg, Marbles, Play, TockView } from "./tock_types.js" */
/** @import { GameKind } from "./types.js" */

/** What stands where. @typedef {{marbles: Marbles, fresh: number[]}} Position */

/** @type {WeakMap<string[], Map<string, Play[]>>} the list of legal plays -> orders by card */
const found = new WeakMap();

/**
 * Among how many marbles the card can be shared; 0 for a card that cannot.
 * @param {GameKind} view @param {string} card
 */
export const sharesOf = (view, card) => sheetOf(view).split[rankOf(card)] ?? 0;

/**
 * Can a marble of `owner` go `count` places deep into its heaven, from place `from` of it (0: from the pieu)?
 * @param {Marbles} marbles @param {number} owner @param {number} from @param {number} to
 */
function roomIn(marbles, owner, from, to) {
  if (to > 4) return false;
  for (let k = from + 1; k <= to; k += 1) if (marbles[owner].includes(`h${k}`)) return false;
  return true;
}

/**
 * Where a leg of `count` steps can end: the way round the track, and into heaven.
 * @param {GameKind} view @param {Position} state @param {number} owner @param {string} from @param {number} count
 * @returns {string[]}
 */
function ends(view, { marbles, fresh }, owner, from, count) {
  if (isHeaven(from)) {
    const to = spaceOf(from) + count;
    return roomIn(marbles, owner, spaceOf(from), to) ? [`h${to}`] : [];
  }
  const { jumps, shelters } = sheetOf(view);
  const length = CASES * view.seats;
  const pieu = pieuOf(view, owner);
  const out = [];
  let space = spaceOf(from);
  for (let left = count; left > 0; left -= 1) {
    if (space === pieu && roomIn(marbles, owner, 0, left)) out.push(`h${left}`);
    space = (space + 1) % length;
    if (fresh.some((seat) => startOf(view, seat) === `t${space}`)) return out;
  }
  const taken = Object.values(marbles).some((places) => places.includes(`t${space}`));
  if (shelters && space % CASES === 8 && taken) return out;
  if (jumps && space % CASES === 7) space = (space + length / 2) % length;
  return [...out, `t${space}`];
}

/**
 * What stands where after a leg.
 * @param {GameKind} view @param {Position} state @param {number} owner @param {string} card @param {Leg} leg
 */
const after = (view, state, owner, card, leg) => ({
  marbles: afterLeg(view, state.marbles, owner, card, leg),
  fresh: leg.from === startOf(view, owner) ? state.fresh.filter((seat) => seat !== owner) : state.fresh,
});

/** @param {Position} state */
const keyOf = ({ marbles, fresh }) =>
  [...Object.entries(marbles).map(([seat, places]) => `${seat}:${[...places].sort()}`), [...fresh].sort()].join(";");

/** The steps of the whole card: each of its plays adds up to it. @param {string} card */
const wholeOf = (card) => Number(rankOf(card));

/**
 * Every order of legs that leads to a position of the list.
 * @param {TockView} view @param {number} seat @param {string} card
 * @returns {Play[]} whole moves first, then from the shortest first leg on; those found here have `steps` for each leg
 */
export function orders(view, seat, card) {
  const legal = view.legal ?? [];
  const known = found.get(legal) ?? new Map();
  found.set(legal, known);
  const orders = known.get(card) ?? search(view, seat, card);
  known.set(card, orders);
  return orders;
}

/** @param {TockView} view @param {number} seat @param {string} card */
function search(view, seat, card) {
  const owner = sideOf(view, seat);
  const most = sharesOf(view, card);
  const whole = wholeOf(card);
  const listed = (view.legal ?? []).map(parsePlay).filter((play) => play.card === card && play.kind !== "burn");
  const start = { marbles: view.marbles, fresh: view.fresh ?? [] };
  const reached = new Set(
    listed.map((play) => keyOf(play.legs.reduce((state, leg) => after(view, state, owner, card, leg), start))),
  );
  const bound = touchedPlaces(view).filter((place) =>
    listed.some((play) => play.legs.some((leg) => leg.from === place)),
  );
  /** @type {Leg[][]} */
  const out = [];
  /** @param {Position} state @param {number} left @param {Leg[]} legs */
  const go = (state, left, legs) => {
    const last = legs.length === most - 1;
    const own = new Set(state.marbles[owner].filter((place) => isTrack(place) || isHeaven(place)));
    for (const from of own) {
      if (legs.some((leg) => leg.to === from)) continue; // it has moved already
      for (let steps = last ? left : 1; steps <= left; steps += 1) {
        for (const to of ends(view, state, owner, from, steps)) {
          const done = [...legs, { from, to, steps }];
          const next = after(view, state, owner, card, { from, to });
          if (steps < left) go(next, left - steps, done);
          else if (reached.has(keyOf(next)) && bound.every((place) => done.some((leg) => leg.from === place)))
            out.push(done);
        }
      }
    }
  };
  go(start, whole, []);
  /** @type {Play[]} */
  const plays = out.map((legs) => ({
    text: [card, ...legs.map((leg) => `${leg.from}-${leg.to}`)].join(" "),
    card,
    kind: legs.length > 1 ? "split" : "move",
    legs,
  }));
  const texts = new Set(plays.map((play) => play.text));
  // A play of the list is offered whatever this page makes of it.
  plays.push(...listed.filter((play) => !texts.has(play.text)));
  return plays.sort((a, b) => Number(a.legs.length > 1) - Number(b.legs.length > 1));
}
