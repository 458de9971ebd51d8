// Places, cards and plays in the words of the page's language.
import { fill, gettext, ngettext, pgettext } from "./i18n.js";
import { caseOf, isTrack, parsePlay, rankOf, spaceOf, stepsOf, wayOf } from "./notation.js";

/**
 * Who sits where, for sentences.
 * @typedef {{seats: number, teams: number, rules: string, names: string[], me?: number}} Company
 */

/** First names, in full where two seats share one. @param {string[]} names */
export function shortNames(names) {
  const first = names.map((name) => name.split(" ")[0]);
  return names.map((name, i) => (first.filter((other) => other === first[i]).length > 1 ? name : first[i]));
}

const cardSuits = () => ({
  S: pgettext("card suit", "spades"),
  H: pgettext("card suit", "hearts"),
  D: pgettext("card suit", "diamonds"),
  C: pgettext("card suit", "clubs"),
});

/** @param {string} card such as "KS", "JK" */
export function cardWords(card) {
  if (card === "JK") return gettext("joker");
  if (card === "??") return gettext("hidden card");
  const ranks = {
    A: pgettext("card", "ace"),
    J: pgettext("card", "jack"),
    Q: pgettext("card", "queen"),
    K: pgettext("card", "king"),
  };
  const suits = cardSuits();
  const rank = rankOf(card);
  // Translators: a playing card, for instance "king of spades".
  return fill(gettext("%(rank)s of %(suit)s"), { rank: ranks[rank] ?? rank, suit: suits[card.slice(-1)] });
}

/** A card with its article, as the object of a verb: "the king of spades", "le roi de pique". */
export function theCard(card) {
  if (card === "JK") return pgettext("card with article", "the joker");
  const ranks = {
    A: pgettext("card with article", "the ace"),
    J: pgettext("card with article", "the jack"),
    Q: pgettext("card with article", "the queen"),
    K: pgettext("card with article", "the king"),
  };
  const rank = rankOf(card);
  const named = ranks[rank] ?? fill(pgettext("card with article", "the %(number)s"), { number: rank });
  const suit = cardSuits()[card.slice(-1)];
  return suit ? fill(gettext("%(rank)s of %(suit)s"), { rank: named, suit }) : cardWords(card);
}

/** What a card does, as printed at its foot: one or two words. */
export function effectWords(card) {
  const effects = {
    A: gettext("out · 1"),
    4: gettext("back 4"),
    5: gettext("any marble"),
    7: gettext("can be split"),
    8: "8",
    10: gettext("10 · burns"),
    J: gettext("swaps"),
    Q: "12",
    K: gettext("out · 13"),
    JK: gettext("out · 18"),
  };
  const rank = rankOf(card);
  return effects[rank] ?? fill(gettext("forward %(count)s"), { count: rank });
}

/** A place in words. @param {Company} company @param {string} place @param {number} owner of the marble there */
export function placeWords(company, place, owner) {
  const name = shortNames(company.names);
  if (place === "r") {
    return owner === company.me ? gettext("your reserve") : fill(gettext("%(name)s’s reserve"), { name: name[owner] });
  }
  if (!isTrack(place)) {
    const values = { place: spaceOf(place), name: name[owner] };
    if (owner === company.me) return fill(gettext("heaven, place %(place)s"), values);
    return fill(gettext("%(name)s’s heaven, place %(place)s"), values);
  }
  const spot = caseOf(place);
  if (spot.case === 16) {
    const seat = (spot.seat + 1) % company.seats;
    return seat === company.me ? gettext("your pieu") : fill(gettext("%(name)s’s pieu"), { name: name[seat] });
  }
  const values = { case: spot.case, name: name[spot.seat] };
  if (spot.seat === company.me) return fill(gettext("your case %(case)s"), values);
  return fill(gettext("%(name)s’s case %(case)s"), values);
}

/** The first letter large, for a sentence or a button. */
export const capital = (text) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** "Réjean", "Réjean and Yvon", "Réjean, Yvon and Océane". */
export function listed(names) {
  if (names.length < 2) return names.join("");
  // Translators: joins the last of several names.
  return fill(gettext("%(first)s and %(last)s"), { first: names.slice(0, -1).join(", "), last: names[names.length - 1] });
}

/** How far a leg goes, in spaces. */
export const distance = (company, owner, leg, back) => wayOf(company, owner, leg.from, leg.to, back).path.length - 1;

/** The button of a target: what it is and what it costs. @returns {{title: string, detail: string}} */
export function targetWords(company, target, card) {
  const name = shortNames(company.names);
  if (target.kind === "swap") {
    return {
      title: capital(placeWords(company, target.place, target.other)),
      detail: fill(gettext("changes places with %(name)s’s marble"), { name: name[target.other] }),
    };
  }
  const title = capital(placeWords(company, target.place, target.owner));
  const parts = [];
  if (target.from === "r") parts.push(gettext("a marble comes out"));
  else {
    const back = stepsOf(card) < 0;
    const way = wayOf(company, target.owner, target.from, target.place, back);
    const count = way.path.length - 1;
    parts.push(
      back
        ? fill(ngettext("%(count)s step back", "%(count)s steps back", count), { count })
        : fill(ngettext("%(count)s step", "%(count)s steps", count), { count }),
    );
    if (way.jump) parts.push(gettext("jumps across"));
  }
  parts.push(...consequences(company, target));
  if (target.more) parts.push(fill(gettext("then %(count)s more"), { count: target.more }));
  return { title, detail: parts.join(", ") };
}

/** What arriving there does, in a few words each. */
function consequences(company, target) {
  if (target.eaten.length) {
    const name = shortNames(company.names);
    const said = [];
    const others = target.eaten.filter((seat) => seat !== company.me).map((seat) => name[seat]);
    if (others.length) said.push(fill(gettext("eats %(names)s"), { names: listed(others) }));
    if (others.length < target.eaten.length) said.push(gettext("eats your own marble"));
    return said;
  }
  if (target.kind === "heaven") return [gettext("safe")];
  return isTrack(target.place) && caseOf(target.place).case === 8 ? [gettext("protected")] : [];
}

/** The only place a marble can go to, on the button of the marble: where, and what it does. */
export function arrivalWords(company, target) {
  const where = placeWords(company, target.place, target.other ?? target.owner);
  // Translators: on the button of a marble; %(place)s is where it can go, for instance "your case 8".
  const to = target.kind === "swap" ? gettext("swaps with %(place)s") : gettext("to %(place)s");
  return [fill(to, { place: where }), ...(target.kind === "swap" ? [] : consequences(company, target))].join(", ");
}

const one = (fx, kind) => (fx ?? []).find((effect) => effect[0] === kind);
const all = (fx, kind) => (fx ?? []).filter((effect) => effect[0] === kind);

function moveWords(company, seat, play, fx, name) {
  const moves = all(fx, "move");
  const legs = play.legs.map((leg, i) => {
    const owner = moves[i]?.[1] ?? seat;
    return { ...leg, owner, count: distance(company, owner, leg, stepsOf(play.card) < 0) };
  });
  const who = name[seat];
  if (play.kind === "split") {
    const [a, b] = legs;
    return fill(gettext("%(name)s splits the 7: %(first)s and %(second)s."), { name: who, first: a.count, second: b.count });
  }
  const [leg] = legs;
  const values = { name: who, count: leg.count, owner: name[leg.owner] };
  if (stepsOf(play.card) < 0) {
    if (leg.owner !== seat) return fill(gettext("%(name)s moves %(owner)s’s marble back %(count)s."), values);
    return fill(gettext("%(name)s moves back %(count)s."), values);
  }
  if (!isTrack(leg.to)) {
    if (leg.owner !== seat) return fill(gettext("%(name)s moves %(owner)s’s marble forward %(count)s, into heaven."), values);
    return fill(gettext("%(name)s moves forward %(count)s, into heaven."), values);
  }
  if (leg.owner !== seat) return fill(gettext("%(name)s moves %(owner)s’s marble forward %(count)s."), values);
  return fill(gettext("%(name)s moves forward %(count)s."), values);
}

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
      if (a === seat && b !== seat) return fill(gettext("%(name)s swaps a marble with %(other)s."), { ...who, other: name[b] });
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
    case "throw":
      return fill(gettext("%(name)s throws in the whole hand."), who);
    case "deck":
      return gettext("A new deck is shuffled.");
    default:
      return moveWords(company, seat, play, fx, name);
  }
}

/** What else happened, one short sentence each, in the order of the facts. */
function effectSentences(seat, fx, name) {
  const said = [];
  for (const [kind, a] of fx ?? []) {
    if (kind === "jump") said.push(gettext("It jumps to the opposite 7."));
    else if (kind === "eaten" && a === seat) said.push(gettext("It eats a marble of its own seat."));
    else if (kind === "eaten") said.push(fill(gettext("%(name)s’s marble is eaten."), { name: name[a] }));
    else if (kind === "forced") said.push(fill(gettext("%(name)s must burn a card."), { name: name[a] }));
    else if (kind === "drawn") said.push(fill(gettext("%(name)s draws a card and plays again."), { name: name[a] }));
    else if (kind === "home") said.push(fill(gettext("%(name)s has all four marbles in heaven!"), { name: name[a] }));
    else if (kind === "exchanged") said.push(gettext("The cards change hands."));
    else if (kind === "dealt") {
      said.push(fill(ngettext("New deal: %(count)s card each.", "New deal: %(count)s cards each.", a), { count: a }));
    } else if (kind === "deck" && a !== undefined) said.push(fill(gettext("%(name)s deals."), { name: name[a] }));
    else if (kind === "over") said.push(gettext("The game is over."));
  }
  return said;
}

/** What happened at the table by a referee, or about one; "" for what another act says already. */
function rulingWords(company, event, who) {
  const d = event.d ?? {};
  const seconds = Math.round(Math.abs(d.ms ?? 0) / 1000);
  switch (event.k) {
    case "dispute":
      return fill(gettext("%(name)s calls the referee."), who);
    case "freeze":
      return d.by === "referee" ? gettext("A referee stops the game.") : "";
    case "hold":
      return gettext("A referee takes the case.");
    case "resume":
      return d.by === "referee" ? gettext("Play goes on.") : "";
    case "mark":
      if (d.why === "no_referee") return gettext("No referee is on duty: the call is marked and play goes on.");
      if (d.why === "unanswered") return gettext("Nobody came in time: play goes on, the case goes on after the game.");
      return gettext("Nobody ruled in time: play goes on, the case goes on after the game.");
    case "penalty":
      return fill(gettext("The referee rules: %(name)s loses the next turn for talking, one card is burned blind."), who);
    case "touch":
      if (d.card) return fill(gettext("The referee rules: %(name)s must play %(card)s."), { ...who, card: theCard(d.card) });
      return fill(gettext("The referee rules: %(name)s must play the marble on %(place)s."), {
        ...who,
        place: placeWords({ ...company, me: undefined }, d.marble ?? "r", d.owner ?? d.seat),
      });
    case "warning":
      return fill(gettext("The referee warns %(name)s."), who);
    case "adjust": {
      const values = { ...who, count: seconds };
      if (d.ms < 0) return fill(ngettext("The referee takes %(count)s second from %(name)s.", "The referee takes %(count)s seconds from %(name)s.", seconds), values);
      return fill(ngettext("The referee gives %(count)s second to %(name)s.", "The referee gives %(count)s seconds to %(name)s.", seconds), values);
    }
    case "rewind":
      return gettext("The referee takes play back: the board stands as it stood before.");
    case "forfeit":
      return d.reason === "forfeit_ruling" ? gettext("The referee rules: the game is forfeited.") : gettext("The game is forfeited.");
    case "seat_view":
      return d.seat === undefined ? gettext("A hand is opened to the referee.") : fill(gettext("%(name)s’s hand is opened to the referee."), who);
    default:
      return "";
  }
}

/** Is the event a referee's, or a call for one? */
export const isRuling = (event) =>
  ["dispute", "freeze", "hold", "resume", "mark", "penalty", "warning", "adjust", "rewind", "seat_view"].includes(event.k) ||
  (event.k === "touch" && event.d?.by === "referee") || (event.k === "forfeit" && event.d?.reason === "forfeit_ruling");

function actWords(company, event, name) {
  const d = event.d ?? {};
  const who = { name: name[d.seat] ?? "" };
  if (isRuling(event)) return rulingWords(company, event, who);
  switch (event.k) {
    case "touch":
      if (d.card) return fill(gettext("%(name)s lays %(card)s."), { ...who, card: theCard(d.card) });
      return fill(gettext("%(name)s touches the marble on %(place)s."), {
        ...who,
        place: placeWords({ ...company, me: undefined }, d.marble ?? "r", d.owner ?? d.seat),
      });
    case "draw":
      return d.dealer === undefined ? "" : fill(gettext("%(name)s deals first."), { name: name[d.dealer] });
    case "timeout":
      return fill(gettext("%(name)s is out of time: the site plays."), who);
    case "resign":
      return fill(gettext("%(name)s resigns."), who);
    case "forfeit":
      return gettext("The game is forfeited.");
    default:
      return "";
  }
}

/**
 * One event of the record as it is said and listed.
 * @param {Company} company @param {{seq: number, k: string, d: object, fx?: any[]}} event
 * @returns {{seq: number, seat?: number, card: string, text: string, notation: string, ruling?: boolean} | null} null: nothing to say
 */
export function eventWords(company, event) {
  const name = shortNames(company.names);
  if (event.k !== "play") {
    const text = [actWords(company, event, name), ...effectSentences(event.d?.seat, event.fx, name)].filter(Boolean).join(" ");
    if (!text) return null;
    const words = { seq: event.seq, seat: event.d?.seat, card: event.d?.card ?? "", text, notation: "" };
    return isRuling(event) ? { ...words, ruling: true } : words;
  }
  const play = parsePlay(event.d.play ?? "");
  const said = [mainWords(company, event.d.seat, play, event.fx, name), ...effectSentences(event.d.seat, event.fx, name)];
  const deck = play.kind === "deck";
  return {
    seq: event.seq,
    seat: deck ? undefined : event.d.seat,
    card: deck ? "" : play.card,
    text: said.join(" "),
    notation: deck ? "" : play.text,
  };
}

/** A refusal in the player's language. @param {{code: string, why?: string}} nak */
export function refusalWords(nak) {
  const why = {
    touched_card: gettext("The card you laid must be played."),
    touched_marble: gettext("The marble you touched must be played."),
    not_playable: gettext("That card cannot be played while another one can."),
    no_such_card: gettext("You do not hold that card."),
    must_play: gettext("You can play a card, so you may not burn one."),
    must_burn: gettext("You must burn a card."),
    not_listed: gettext("That play is not possible here."),
    bad_notation: gettext("That is not a play in notation."),
  };
  const codes = {
    stale_turn: gettext("Too late: the table has moved on. Nothing was played."),
    not_your_turn: gettext("It is not your turn."),
    illegal: gettext("That play is not possible here."),
    frozen: gettext("The clocks are stopped; no play counts now."),
    seat_lost: gettext("You do not hold that seat any more."),
    rate: gettext("Too many requests at once. Wait a moment."),
    too_late: gettext("Your time was up; the play did not count."),
    auth: gettext("Your session has ended. Sign in again to go on."),
    id_reused: gettext("The page mixed up two requests. Nothing was played; try again."),
    internal: gettext("The server could not do that just now. Try again."),
  };
  return (nak.code === "illegal" && why[nak.why]) || codes[nak.code] || codes.internal;
}
