// How a game ended, in the words of the page's language.
import { fill, gettext } from "./i18n.js";
import { alone, teamWords } from "./names.js";
/** @import { Named, Texts, View } from "./types.js" */

/** Who won, for a seat or for somebody who watches. @param {Named} boot @param {View} view */
export function outcome(boot, view) {
  const ranks = view.result?.ranks ?? [];
  const first = ranks.map((rank, team) => (rank === 0 ? team : -1)).filter((team) => team >= 0);
  const me = boot.seat ?? undefined;
  if (!first.length) return gettext("The game is over");
  const [team] = first;
  if (first.length > 1) return gettext("The game is a tie");
  if (me !== undefined && team === me % boot.teams)
    return alone(boot) ? gettext("You win!") : gettext("Your team wins!");
  if (me !== undefined && boot.teams === 2) return gettext("The other team wins");
  if (alone(boot)) return fill(gettext("%(name)s wins"), { name: teamWords(boot, team) });
  return fill(gettext("%(team)s win"), { team: teamWords(boot, team) });
}

/** Why it ended, when not by the last marble. @param {string} [reason] */
export function reasonWords(reason) {
  /** @type {Texts} */
  const texts = {
    resigned: gettext("The other side resigned."),
    forfeit_timeouts: gettext("Forfeit: too many time-outs."),
    no_show: gettext("Forfeit: a team did not come."),
    forfeit_ruling: gettext("Forfeit by a ruling of the referee."),
    annulled: gettext("The game was annulled."),
  };
  return texts[reason ?? ""] ?? "";
}
