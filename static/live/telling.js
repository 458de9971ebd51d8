// The table's story: every event of the record as it is said and listed, sentence by sentence.
import { cardWords, theCard } from "./cards.js";
import { fill, gettext, ngettext } from "./i18n.js";
import { listed, shortNames } from "./names.js";
import { distance, goesBack, isCentre, isHeaven, parsePlay } from "./notation.js";
import { placeWords } from "./places.js";
import { isRuling, tableWords } from "./rulings.js";
/** @import { Values } from "./i18n.js" */
/** @import { Leg, Play, TockEffect, TockEvent } from "./tock_types.js" */
/** @import { Company, Details, Told } from "./types.js" */

/** A leg that was played: whose marble went how far. @typedef {Leg & {owner: number, count: number}} TakenLeg */

/**
 * The effects of one kind.
 * @template {TockEffect[0]} K
 * @param {TockEffect[] | undefined} fx @param {K} kind @returns {Extract<TockEffect, [K, ...unknown[]]>[]}
 */
const all = (fx, kind) =>
  /** @type {Extract<TockEffect, [K, ...unknown[]]>[]} */ ((fx ?? []).filter((effect) => effect[0] === kind));

/**
 * The effect of a kind of which there is one at most.
 * @template {TockEffect[0]} K
 * @param {TockEffect[] | undefined} fx @param {K} kind
 */
const one = (fx, kind) => all(fx, kind).at(0);

/**
 * Into the centre and out of it.
 * @param {Company} company @param {number} seat @param {TakenLeg} leg @param {Values} values
 */
function centreWords(company, seat, leg, values) {
  const into = isCentre(leg.to);
  const place = placeWords({ ...company, me: undefined }, into ? leg.from : leg.to, leg.owner);
  if (leg.owner === seat) {
    return fill(
      into
        ? gettext("%(name)s goes into the centre by %(place)s.")
        : gettext("%(name)s comes out of the centre by %(place)s."),
      { ...values, place },
    );
  }
  return fill(
    into
      ? gettext("%(name)s moves %(owner)s’s marble into the centre by %(place)s.")
      : gettext("%(name)s moves %(owner)s’s marble out of the centre by %(place)s."),
    { ...values, place },
  );
}

/** @param {number} seat @param {TakenLeg[]} legs @param {string[]} name */
function splitWords(seat, legs, name) {
  const parts = listed(
    legs.map(({ to, count }) => (isHeaven(to) ? fill(gettext("%(count)s into heaven"), { count }) : String(count))),
  );
  const values = { name: name[seat], owner: name[legs[0].owner], parts };
  if (legs[0].owner !== seat)
    return fill(gettext("%(name)s splits the 7 among %(owner)s’s marbles: %(parts)s."), values);
  return fill(gettext("%(name)s splits the 7: %(parts)s."), values);
}

/**
 * @param {Company} company
 * @param {number} seat
 * @param {Play} play
 * @param {TockEffect[] | undefined} fx
 * @param {string[]} name
 */
function moveWords(company, seat, play, fx, name) {
  const moves = all(fx, "move");
  const back = goesBack(company, play.card);
  const legs = play.legs.map((leg, i) => {
    const owner = moves[i]?.[1] ?? seat;
    return { ...leg, owner, count: distance(company, owner, leg, back) };
  });
  if (play.kind === "split") return splitWords(seat, legs, name);
  const [leg] = legs;
  const values = { name: name[seat], count: leg.count, owner: name[leg.owner] };
  if (isCentre(leg.from) || isCentre(leg.to)) return centreWords(company, seat, leg, values);
  if (back) {
    if (leg.owner !== seat) return fill(gettext("%(name)s moves %(owner)s’s marble back %(count)s."), values);
    return fill(gettext("%(name)s moves back %(count)s."), values);
  }
  if (isHeaven(leg.to)) {
    if (leg.owner !== seat)
      return fill(gettext("%(name)s moves %(owner)s’s marble forward %(count)s, into heaven."), values);
    return fill(gettext("%(name)s moves forward %(count)s, into heaven."), values);
  }
  if (leg.owner !== seat) return fill(gettext("%(name)s moves %(owner)s’s marble forward %(count)s."), values);
  return fill(gettext("%(name)s moves forward %(count)s."), values);
}

/**
 * @param {Company} company
 * @param {number} seat
 * @param {Play} play
 * @param {TockEffect[] | undefined} fx
 * @param {string[]} name
 */
function mainWords(company, seat, play, fx, name) {
  const who = { name: name[seat] };
  switch (play.kind) {
    case "out": {
      const owner = one(fx, "out")?.[1] ?? seat;
      if (owner === seat) return fill(gettext("%(name)s brings a marble out."), who);
      return fill(gettext("%(name)s brings out a marble of %(owner)s."), { ...who, owner: name[owner] });
    }
    case "swap": {
      const swap = one(fx, "swap");
      if (!swap) return fill(gettext("%(name)s swaps two marbles."), who);
      const [, a, , b] = swap;
      if (a === b) {
        if (a === seat) return fill(gettext("%(name)s swaps two marbles of the same seat."), who);
        return fill(gettext("%(name)s swaps two marbles of %(owner)s."), { ...who, owner: name[a] });
      }
      if (a === seat) return fill(gettext("%(name)s swaps a marble with %(other)s."), { ...who, other: name[b] });
      return fill(gettext("%(name)s swaps a marble of %(first)s with one of %(second)s."), {
        ...who,
        first: name[a],
        second: name[b],
      });
    }
    case "skip":
      return fill(gettext("%(name)s sacrifices the 10."), who);
    case "burn":
      return fill(gettext("%(name)s burns a card."), who);
    case "blind":
      return fill(gettext("%(name)s burns a card at random: a penalty."), who);
    case "give":
      if (play.card && play.card !== "??" && play.card !== "") {
        return fill(gettext("%(name)s gives %(card)s."), { ...who, card: theCard(play.card) });
      }
      return fill(gettext("%(name)s gives a card."), who);
    case "throw": {
      const cards = one(fx, "threw")?.[2];
      if (!cards?.length) return fill(gettext("%(name)s throws in the whole hand."), who);
      return fill(gettext("%(name)s throws in the whole hand: %(cards)s."), {
        ...who,
        cards: listed(cards.map(cardWords)),
      });
    }
    case "deck":
      return gettext("A new deck is shuffled.");
    default:
      return moveWords(company, seat, play, fx, name);
  }
}

/**
 * What else happened, one short sentence each, in the order of the facts.
 * @param {number | undefined} seat @param {TockEffect[] | undefined} fx @param {string[]} name
 */
function effectSentences(seat, fx, name) {
  const said = [];
  for (const [kind, a] of fx ?? []) {
    if (kind === "jump") said.push(gettext("It jumps to the opposite 7."));
    else if (kind === "eaten" && a === seat) said.push(gettext("It eats a marble of its own seat."));
    else if (kind === "eaten") said.push(fill(gettext("%(name)s’s marble is eaten."), { name: name[a] }));
    else if (kind === "forced") said.push(fill(gettext("%(name)s must burn a card."), { name: name[a] }));
    else if (kind === "drawn") said.push(fill(gettext("%(name)s draws a card and plays again."), { name: name[a] }));
    else if (kind === "home") said.push(fill(gettext("%(name)s has all four marbles in heaven!"), { name: name[a] }));
    else if (kind === "left") said.push(fill(gettext("%(name)s’s cards go to the pile."), { name: name[a] }));
    else if (kind === "exchanged") said.push(gettext("The cards change hands."));
    else if (kind === "dealt") {
      said.push(fill(ngettext("New deal: %(count)s card each.", "New deal: %(count)s cards each.", a), { count: a }));
    } else if (kind === "deck" && a !== undefined) said.push(fill(gettext("%(name)s deals."), { name: name[a] }));
    else if (kind === "over") said.push(gettext("The game is over."));
  }
  return said;
}

/**
 * A touch that a referee has ruled: only Tock has touches.
 * @param {Company} company @param {Details} d @param {{name: string}} who
 */
function touchRuling(company, d, who) {
  if (d.card)
    return fill(gettext("The referee rules: %(name)s must play %(card)s."), { ...who, card: theCard(d.card) });
  return fill(gettext("The referee rules: %(name)s must play the marble on %(place)s."), {
    ...who,
    place: placeWords({ ...company, me: undefined }, d.marble ?? "r", d.owner ?? d.seat ?? -1),
  });
}

/** @param {Company} company @param {TockEvent} event @param {string[]} name */
function actWords(company, event, name) {
  const d = event.d ?? {};
  const who = { name: name[d.seat ?? -1] ?? "" };
  if (event.k === "draw")
    return d.dealer === undefined ? "" : fill(gettext("%(name)s deals first."), { name: name[d.dealer] });
  if (event.k !== "touch") return tableWords(company, event, who);
  if (isRuling(event)) return touchRuling(company, d, who);
  if (d.card) return fill(gettext("%(name)s lays %(card)s."), { ...who, card: theCard(d.card) });
  if (d.marble === "r") return fill(gettext("%(name)s takes a marble of the reserve."), who);
  if (isCentre(d.marble ?? "r")) return fill(gettext("%(name)s touches a marble in the centre."), who);
  return fill(gettext("%(name)s touches the marble on %(place)s."), {
    ...who,
    place: placeWords({ ...company, me: undefined }, d.marble ?? "r", d.owner ?? d.seat ?? -1),
  });
}

/**
 * One event of the record as it is said and listed.
 * @param {Company} company @param {TockEvent} event
 * @returns {Told | null} null: nothing to say
 */
export function eventWords(company, event) {
  const name = shortNames(company.names);
  const { seat, play: line = "" } = event.d ?? {};
  if (event.k !== "play") {
    const text = [actWords(company, event, name), ...effectSentences(seat, event.fx, name)].filter(Boolean).join(" ");
    if (!text) return null;
    const words = { seq: event.seq, seat, card: event.d?.card ?? "", text, notation: "" };
    return isRuling(event) ? { ...words, ruling: true } : words;
  }
  const play = parsePlay(line);
  const said = [mainWords(company, seat ?? -1, play, event.fx, name), ...effectSentences(seat, event.fx, name)];
  const deck = play.kind === "deck";
  return {
    seq: event.seq,
    seat: deck ? undefined : seat,
    card: deck ? "" : play.card,
    text: said.join(" "),
    notation: deck ? "" : play.text,
    loud: loudOf(play, event.fx),
  };
}

/**
 * What nobody may miss in a play.
 * @param {Play} play @param {TockEffect[] | undefined} fx @returns {"eaten" | "burned" | undefined}
 */
function loudOf(play, fx) {
  if (one(fx, "eaten")) return "eaten";
  return ["burn", "blind", "throw"].includes(play.kind) ? "burned" : undefined;
}
