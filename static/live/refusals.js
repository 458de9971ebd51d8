// Why the table refused a request, in the words of the page's language.
import { fill, gettext } from "./i18n.js";
/** @import { Refusal, Texts } from "./types.js" */

/** @param {number} until The end of the suspension, in milliseconds since 1970. */
function suspendedWords(until) {
  const language = document.documentElement.lang || undefined;
  const day = new Date(until).toLocaleDateString(language, { day: "numeric", month: "long", year: "numeric" });
  return fill(gettext("You are suspended by a ruling until %(day)s: you cannot play this match."), { day });
}

/** A refusal in the player's language. @param {Refusal} nak */
export function refusalWords(nak) {
  /** @type {Texts} */
  const why = {
    touched_card: gettext("The card you laid must be played."),
    touched_marble: gettext("The marble you touched must be played."),
    not_playable: gettext("That card cannot be played while another one can."),
    no_such_card: gettext("You do not hold that card."),
    must_play: gettext("You can play a card, so you may not burn one."),
    must_burn: gettext("You must burn a card."),
    not_listed: gettext("That play is not possible here."),
    bad_notation: gettext("That is not a play in notation."),
    phrases_used: gettext("That cannot be said here any more."),
    long_over: gettext("That cannot be said here any more."),
    out: gettext("Your team is out of the game."),
    nothing_to_take_back: gettext("You have played nothing in this hand that could be taken back."),
    suspended: nak.until
      ? suspendedWords(nak.until)
      : gettext("You are banned by a ruling: you cannot play this match."),
    consent_missing: gettext("A parent or guardian has to consent before you play a match: see your profile."),
  };
  const internal = gettext("The server could not do that just now. Try again.");
  /** @type {Texts} */
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
    internal,
  };
  return (nak.code === "illegal" && why[nak.why ?? ""]) || (codes[nak.code] ?? internal);
}
