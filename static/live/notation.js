// Plays as text, and where they lead on the board. Enough to show a play, never to judge one: the server's list of legal
// plays is the only authority.

export const CASES = 18; // spaces of one seat's section
const STEPS = { A: 1, J: 0, Q: 12, K: 13, JK: 18 };
const SWEEPERS = { shawinigan: ["K"] }; // cards that eat on their way, by family of rules

/**
 * @typedef {{from: string, to: string}} Leg   `from` may be "r"; `to` may be "" where the play does not say
 * @typedef {"move" | "split" | "swap" | "out" | "skip" | "burn" | "blind" | "give" | "throw" | "deck"} Kind
 * @typedef {{text: string, card: string, kind: Kind, legs: Leg[]}} Play
 */

/** @param {string} text one line of notation @returns {Play} */
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

/** The rank of a card: "10" of "10S"; a joker is its own rank. */
export const rankOf = (card) => (card === "JK" ? "JK" : card.slice(0, -1));

/** How many spaces a card moves; 0 for a jack, -4 for a four. */
export function stepsOf(card) {
  const rank = rankOf(card);
  if (rank === "4") return -4;
  return STEPS[rank] ?? Number(rank);
}

const lengthOf = (view) => CASES * view.seats;
export const spaceOf = (place) => Number(place.slice(1));
export const isTrack = (place) => place[0] === "t";
export const startOf = (view, seat) => `t${CASES * seat}`;
export const pieuOf = (view, seat) => (CASES * seat - 2 + lengthOf(view)) % lengthOf(view);

/** A track place as its section's seat and case number, 1 to 18. */
export function caseOf(place) {
  const space = spaceOf(place);
  return { seat: Math.floor(space / CASES), case: space % CASES || CASES };
}

const finished = (view, seat) => (view.marbles[seat] ?? []).every((place) => place[0] === "h");

/** The seat whose marbles `seat` moves now: its own, else the next teammate clockwise who has not finished. */
export function sideOf(view, seat) {
  for (let k = 0; k < view.seats; k += view.teams) {
    const mate = (seat + k) % view.seats;
    if (!finished(view, mate)) return mate;
  }
  return seat;
}

/** The owner of the marble on a track place; undefined when nobody stands there. */
export function ownerAt(marbles, place) {
  for (const [seat, places] of Object.entries(marbles)) if (places.includes(place)) return Number(seat);
  return undefined;
}

/**
 * The places a leg goes through, from start to landing, and the jump after it.
 * @param {object} view @param {number} owner of the marble @param {string} from @param {string} to
 * @param {boolean} back @returns {{path: string[], jump: string}} `jump`: where it ends after a jump, or ""
 */
export function wayOf(view, owner, from, to, back = false) {
  const length = lengthOf(view);
  if (from === "r") return { path: ["r", to], jump: "" };
  if (!isTrack(from)) {
    const path = [];
    for (let k = spaceOf(from); k <= spaceOf(to); k += 1) path.push(`h${k}`);
    return { path, jump: "" };
  }
  const step = back ? -1 : 1;
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
  if (((end - start) * step + length) % length > CASES) {
    jump = to;
    end = (end + length / 2) % length;
  }
  return { path: walk(start, end), jump };
}

/** The owners of the marbles a leg sends back, in order; `marbles` as they stand before it. */
export function eatenBy(view, marbles, owner, card, leg) {
  const sweeps = (SWEEPERS[view.rules.split("/")[0]] ?? []).includes(rankOf(card));
  const { path, jump } = wayOf(view, owner, leg.from, leg.to, stepsOf(card) < 0);
  const landing = path[path.length - 1];
  const spots = [landing, ...(jump ? [jump] : [])].filter(isTrack);
  if (sweeps && leg.from !== "r") {
    const passed = path.slice(1, -1).filter((place) => isTrack(place) && spaceOf(place) % CASES !== 8);
    spots.unshift(...passed);
  }
  return spots.map((place) => ownerAt(marbles, place)).filter((seat) => seat !== undefined);
}

/** The marbles after a leg, for the next leg of a seven. */
export function afterLeg(view, marbles, owner, card, leg) {
  const { path, jump } = wayOf(view, owner, leg.from, leg.to, stepsOf(card) < 0);
  const gone = new Set([path[path.length - 1], jump].filter((place) => place && isTrack(place)));
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
