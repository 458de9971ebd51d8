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

/**
 * Why it ended, when not by the last marble, from where the reader sits.
 * @param {Named} boot @param {View} view
 */
export function reasonWords(boot, view) {
  const { reason = "", ranks = [] } = view.result ?? {};
  const lost = ranks.map((rank, team) => (rank === 0 ? -1 : team)).filter((team) => team >= 0);
  // Of several teams that lost the result does not say which one ended the game.
  const team = lost.length === 1 && boot.teams === 2 ? lost[0] : undefined;
  if (team === undefined) return anyWords()[reason] ?? "";
  const me = boot.seat ?? undefined;
  if (me === undefined) return fill(teamsWords()[reason] ?? "", { team: teamWords(boot, team) });
  return (me % boot.teams === team ? ownWords() : otherWords())[reason] ?? "";
}

/** @returns {Texts} */
const anyWords = () => ({
  resigned: gettext("The game ended by a resignation."),
  forfeit_timeouts: gettext("Forfeit: too many time-outs."),
  no_show: gettext("Forfeit: a team did not come."),
  forfeit_ruling: gettext("Forfeit by a ruling of the referee."),
  annulled: gettext("The game was annulled."),
  time: gettext("The time was up."),
});

/** @returns {Texts} */
const ownWords = () => ({
  ...anyWords(),
  resigned: gettext("Your team resigned."),
  forfeit_timeouts: gettext("Your team forfeits: too many time-outs."),
  no_show: gettext("Your team forfeits: it was not complete in time."),
  forfeit_ruling: gettext("Your team forfeits by a ruling of the referee."),
});

/** @returns {Texts} */
const otherWords = () => ({
  ...anyWords(),
  resigned: gettext("The other team resigned."),
  forfeit_timeouts: gettext("The other team forfeits: too many time-outs."),
  no_show: gettext("The other team forfeits: it was not complete in time."),
  forfeit_ruling: gettext("The other team forfeits by a ruling of the referee."),
});

/** @returns {Texts} with %(team)s */
const teamsWords = () => ({
  ...anyWords(),
  resigned: gettext("%(team)s resigned."),
  forfeit_timeouts: gettext("%(team)s: forfeit, too many time-outs."),
  no_show: gettext("%(team)s: forfeit, the team was not complete in time."),
  forfeit_ruling: gettext("%(team)s: forfeit by a ruling of the referee."),
});
