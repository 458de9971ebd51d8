// What a referee does at the table, and calls for one, in words.
import { fill, gettext, ngettext } from "./i18n.js";
import { placeWords, theCard } from "./words.js";

/** What happened at the table by a referee, or about one; "" for what another act says already. */
export function rulingWords(company, event, who) {
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
