// What happens at a table besides the plays, whatever is played there: rulings, calls for a referee, time-outs,
// resigning.
import { fill, gettext, ngettext } from "./i18n.js";
import { alone, listed, teamWords } from "./names.js";
/** @import { Company, Details, GameEvent, Happening, Texts } from "./types.js" */

/**
 * What players may say before the first deal and after the end: between them the table is silent.
 * @param {string} [code]
 */
export function phraseWords(code = "") {
  /** @type {Texts} */
  const words = {
    good_game: gettext("Good game!"),
    ready: gettext("Ready when you are."),
    short_pause: gettext("A short pause, please."),
    thanks: gettext("Thank you!"),
  };
  return words[code] ?? "";
}

/**
 * Which plays were taken back, in a replay, which numbers them: by the referee, or in practice by who made the first.
 * @param {Details} state @param {{name: string}} who
 */
function rewindWords({ by, plays }, who) {
  if (by === "seat") {
    if (!plays || plays[0] >= plays[1]) return fill(gettext("%(name)s takes the last play back."), who);
    const numbers = { ...who, first: plays[0], last: plays[1] };
    return fill(gettext("%(name)s takes back: plays %(first)s to %(last)s do not count."), numbers);
  }
  if (!plays || plays[0] > plays[1])
    return gettext("The referee takes play back: the table stands as it stood before.");
  const [first, last] = plays;
  if (first === last) return fill(gettext("The referee takes back play %(number)s."), { number: first });
  return fill(gettext("The referee takes back plays %(first)s to %(last)s."), { first, last });
}

/**
 * What happened at the table by a referee, or about one; "" for what another act says already.
 * @param {GameEvent} event @param {{name: string}} who
 */
function rulingWords(event, who) {
  const d = event.d ?? {};
  const seconds = Math.round(Math.abs(d.ms ?? 0) / 1000);
  switch (event.k) {
    case "dispute":
      return fill(gettext("%(name)s calls the referee."), who);
    case "freeze":
      return d.by === "referee" ? gettext("A referee stops the game.") : "";
    case "hold":
      return d.again ? "" : gettext("A referee takes the case.");
    case "free":
      return gettext("The referee no longer has the case: another one may take it.");
    case "resume":
      return d.by === "referee" ? gettext("Play goes on.") : "";
    case "mark":
      if (d.why === "no_referee") return gettext("No referee is on duty: the call is marked and play goes on.");
      if (d.why === "unanswered") return gettext("Nobody came in time: play goes on, the case goes on after the game.");
      return gettext("Nobody ruled in time: play goes on, the case goes on after the game.");
    case "penalty":
      return fill(
        gettext("The referee rules: %(name)s loses the next turn for talking, one card is burned blind."),
        who,
      );
    case "warning":
      return fill(gettext("The referee warns %(name)s."), who);
    case "adjust": {
      const values = { ...who, count: seconds };
      if ((d.ms ?? 0) < 0)
        return fill(
          ngettext(
            "The referee takes %(count)s second from %(name)s.",
            "The referee takes %(count)s seconds from %(name)s.",
            seconds,
          ),
          values,
        );
      return fill(
        ngettext(
          "The referee gives %(count)s second to %(name)s.",
          "The referee gives %(count)s seconds to %(name)s.",
          seconds,
        ),
        values,
      );
    }
    case "rewind":
      return rewindWords(d, who);
    case "forfeit":
      return gettext("The referee rules: the game is forfeited.");
    case "seat_view":
      return d.seat === undefined
        ? gettext("A hand is opened to the referee.")
        : fill(gettext("%(name)s’s hand is opened to the referee."), who);
    default:
      return "";
  }
}

/** Time that the site lost is nobody's: it is given back. @param {Details} state */
function creditWords({ ms = 0, why }) {
  if (why === "late") return gettext("The site was late: at least 20 seconds are left.");
  const count = Math.round(ms / 1000);
  return fill(
    ngettext(
      "The site was down for %(count)s second: no clock ran meanwhile.",
      "The site was down for %(count)s seconds: no clock ran meanwhile.",
      count,
    ),
    { count },
  );
}

// The rows of a time cap; its own place on the page says what follows.
/** @type {{[kind: string]: string | undefined}} */
const CAP_WORDS = {
  cap: gettext("The time is up."),
  extra: gettext("The sides are equal."),
  time: gettext("The game ends."),
};

/**
 * An act in words, "" for one that says nothing to a reader. @param {{name: string}} who whose it is
 * @param {Company} company @param {GameEvent} event
 */
export function tableWords(company, event, who) {
  const d = event.d ?? {};
  if (isRuling(event)) return rulingWords(event, who);
  if (event.k === "timeout") return fill(gettext("%(name)s is out of time: the site plays."), who);
  if (event.k === "phrase") return fill(gettext("%(name)s: “%(text)s”"), { ...who, text: phraseWords(d.code) });
  if (event.k === "credit") return creditWords(d);
  if (event.k === "resign") {
    return d.ranks || company.teams === 2
      ? fill(gettext("%(name)s resigns."), who)
      : fill(gettext("%(name)s resigns; the site plays on for that seat."), who);
  }
  if (event.k !== "forfeit") return CAP_WORDS[event.k] ?? "";
  if (d.ranks || company.teams === 2) return gettext("The game is forfeited.");
  const teams = listed((d.teams ?? []).map((team) => teamWords(company, team)));
  return fill(
    alone(company)
      ? gettext("%(name)s is out of the game by forfeit.")
      : gettext("%(name)s are out of the game by forfeit."),
    { name: teams },
  );
}

/** Is the event a referee's, or a call for one? @param {Happening} event */
export const isRuling = (event) =>
  [
    "dispute",
    "freeze",
    "hold",
    "free",
    "resume",
    "mark",
    "penalty",
    "warning",
    "adjust",
    "rewind",
    "seat_view",
  ].includes(event.k ?? "") ||
  (event.k === "touch" && event.d?.by === "referee") ||
  (event.k === "forfeit" && event.d?.reason === "forfeit_ruling");
