// Names of players and teams as sentences need them. Every game says them in the same way.
import { fill, gettext } from "./i18n.js";
/** @import { Named } from "./types.js" */

/** First names, in full where two seats share one. @param {string[]} names */
export function shortNames(names) {
  const first = names.map((name) => name.split(" ")[0]);
  return names.map((name, i) => (first.filter((other) => other === first[i]).length > 1 ? name : first[i]));
}

/** The seats of a team, in order. @param {Named} company @param {number} team */
export const seatsOf = (company, team) =>
  company.names.map((_, seat) => seat).filter((seat) => seat % company.teams === team);

/** A team by its name, else by those who play in it. @param {Named} company @param {number} team */
export const teamWords = (company, team) =>
  company.team_names?.[team] ||
  seatsOf(company, team)
    .map((seat) => shortNames(company.names)[seat])
    .join(" – ");

/** Does every seat play for itself? @param {Named} company */
export const alone = (company) => company.teams === company.seats;

/** The first letter large, for a sentence or a button. @param {string} text */
export const capital = (text) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** "Réjean", "Réjean and Yvon", "Réjean, Yvon and Océane". @param {string[]} names */
export function listed(names) {
  if (names.length < 2) return names.join("");
  // Translators: joins the last of several names.
  return fill(gettext("%(first)s and %(last)s"), {
    first: names.slice(0, -1).join(", "),
    last: names[names.length - 1],
  });
}
