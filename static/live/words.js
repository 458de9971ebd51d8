// Seats, teams, cards, places and targets in the words of the page's language.
import { fill, gettext, ngettext, pgettext } from "./i18n.js";
import { caseOf, entryOf, goesBack, isCentre, isHeaven, isTrack, nextSeat, rankOf, sheetOf, sideOf, spaceOf, wayOf } from "./notation.js";

/** First names, in full where two seats share one. */
export function shortNames(names) {
  const first = names.map((name) => name.split(" ")[0]);
  return names.map((name, i) => (first.filter((other) => other === first[i]).length > 1 ? name : first[i]));
}

/** The seats of a team, in order. */
export const seatsOf = (company, team) => company.names.map((_, seat) => seat).filter((seat) => seat % company.teams === team);

/** A team by its name, else by those who play in it. */
export const teamWords = (company, team) =>
  company.team_names?.[team] || seatsOf(company, team).map((seat) => shortNames(company.names)[seat]).join(" – ");

/** Does every seat play for itself? */
export const alone = (company) => company.teams === company.seats;

/** Whose marbles the own seat moves, when they are not its own. */
export function sideWords(company, view) {
  const { me } = company;
  if (me === undefined || view.phase === "over" || alone(company)) return "";
  const side = sideOf(view, me);
  return side === me ? "" : fill(gettext("Your four marbles are home: you move %(name)s’s."), { name: shortNames(company.names)[side] });
}

const cardSuits = () => ({
  S: pgettext("card suit", "spades"),
  H: pgettext("card suit", "hearts"),
  D: pgettext("card suit", "diamonds"),
  C: pgettext("card suit", "clubs"),
});

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

/** What a card does, as printed at its foot: one or two words, a second line after a line break. */
export const effectWords = (game, card) => sheetOf(game).effects[rankOf(card)] ?? "";

/** A place in words. */
export function placeWords(company, place, owner) {
  const name = shortNames(company.names);
  if (place === "r") {
    return owner === company.me ? gettext("your reserve") : fill(gettext("%(name)s’s reserve"), { name: name[owner] });
  }
  if (isCentre(place)) return gettext("the centre");
  if (isHeaven(place)) {
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

/** By which case 7 a marble came into the centre. */
export const entryWords = (company, place) => fill(gettext("in by %(place)s"), { place: placeWords(company, entryOf(place)) });

/** A marble's place where nothing else tells it from another: in the centre, by where it came in. */
export const whereWords = (company, place, owner) =>
  [placeWords(company, place, owner), ...(isCentre(place) ? [entryWords(company, place)] : [])].join(", ");

/** How far a leg goes, in spaces. */
export const distance = (company, owner, leg, back) => wayOf(company, owner, leg.from, leg.to, back).path.length - 1;

/** The button of a target: what it is and what it costs. */
export function targetWords(company, target, card, view) {
  const title = capital(placeWords(company, target.place, target.other ?? target.owner));
  return { title, detail: [...wayWords(company, target, card), ...consequences(company, target, card, view)].join(", ") };
}

function wayWords(company, target, card) {
  if (target.kind === "swap") return [];
  if (target.from === "r") return [gettext("a marble comes out")];
  if (isCentre(target.from)) return [gettext("out of the centre")];
  if (isCentre(target.place)) return [gettext("a king brings it out again")];
  const back = goesBack(company, card);
  const way = wayOf(company, target.owner, target.from, target.place, back);
  const count = way.path.length - 1;
  const steps = back ? ngettext("%(count)s step back", "%(count)s steps back", count) : ngettext("%(count)s step", "%(count)s steps", count);
  return [fill(steps, { count }), ...(way.jump ? [gettext("jumps across")] : [])];
}

/** What arriving there does, in a few words each. */
function consequences(company, target, card, view) {
  const name = shortNames(company.names);
  if (target.kind === "swap") {
    if (target.other === target.owner) return [gettext("changes places with the other marble")];
    return [fill(gettext("changes places with %(name)s’s marble"), { name: name[target.other] })];
  }
  const said = [];
  const others = target.eaten.filter((seat) => seat !== company.me).map((seat) => name[seat]);
  if (others.length) said.push(fill(gettext("eats %(names)s"), { names: listed([...new Set(others)]) }));
  if (others.length < target.eaten.length) said.push(gettext("eats your own marble"));
  if (target.kind === "heaven") said.push(gettext("safe"));
  const { shelters, burns } = sheetOf(company);
  if (shelters && isTrack(target.place) && caseOf(target.place).case === 8) said.push(gettext("protected"));
  if (target.more) said.push(fill(gettext("then %(count)s more"), { count: target.more }));
  const next = view && burns.includes(rankOf(card)) ? nextSeat(view, company.me) : company.me;
  if (next !== company.me && view.count?.[next]) said.push(fill(gettext("%(name)s burns a card"), { name: name[next] }));
  return said;
}

/** The only place a marble can go to, on the button of the marble: where, and what it does. */
export function arrivalWords(company, target, card, view) {
  const where = placeWords(company, target.place, target.other ?? target.owner);
  // Translators: on the button of a marble; %(place)s is where it can go, for instance "your case 8".
  const to = target.kind === "swap" ? gettext("swaps with %(place)s") : gettext("to %(place)s");
  return [fill(to, { place: where }), ...(target.kind === "swap" ? [] : consequences(company, target, card, view))].join(", ");
}

/** A refusal in the player's language. */
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
    out: gettext("Your team is out of the game."),
  };
  const codes = {
    stale_turn: gettext("Too late: the table has moved on. Nothing was played."),
    not_your_turn: gettext("It is not your turn."),
    illegal: gettext("That play is not possible here."),
    frozen: gettext("The clocks are stopped; no play counts now."),
    seat_lost: gettext("You do not hold that seat any more."),
    other_tab: gettext("This seat is played in another window."),
    rate: gettext("Too many requests at once. Wait a moment."),
    too_late: gettext("Your time was up; the play did not count."),
    auth: gettext("Your session has ended. Sign in again to go on."),
    id_reused: gettext("The page mixed up two requests. Nothing was played; try again."),
    internal: gettext("The server could not do that just now. Try again."),
  };
  return (nak.code === "illegal" && why[nak.why]) || codes[nak.code] || codes.internal;
}

/** Who won, for a seat or for somebody who watches. */
export function outcome(boot, view) {
  const ranks = view.result?.ranks ?? [];
  const first = ranks.map((rank, team) => (rank === 0 ? team : -1)).filter((team) => team >= 0);
  const me = boot.seat ?? undefined;
  if (!first.length) return gettext("The game is over");
  const [team] = first;
  if (first.length > 1) return gettext("The game is a tie");
  if (me !== undefined && team === me % boot.teams) return alone(boot) ? gettext("You win!") : gettext("Your team wins!");
  if (me !== undefined && boot.teams === 2) return gettext("The other team wins");
  if (alone(boot)) return fill(gettext("%(name)s wins"), { name: teamWords(boot, team) });
  return fill(gettext("%(team)s win"), { team: teamWords(boot, team) });
}

/** Why it ended, when not by the last marble. */
export function reasonWords(reason) {
  const texts = {
    resigned: gettext("The other side resigned."),
    forfeit_timeouts: gettext("Forfeit: too many time-outs."),
    no_show: gettext("Forfeit: a team did not come."),
    forfeit_ruling: gettext("Forfeit by a ruling of the referee."),
    annulled: gettext("The game was annulled."),
  };
  return texts[reason] ?? "";
}
