// Places on the board of Tock in words, seen by the seat that reads them.
import { fill, gettext } from "./i18n.js";
import { alone, shortNames } from "./names.js";
import { caseOf, entryOf, isCentre, isHeaven, sideOf, spaceOf } from "./notation.js";
/** @import { TockView } from "./tock_types.js" */
/** @import { Company } from "./types.js" */

/** A place in words. @param {Company} company @param {string} place @param {number} owner */
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
  return caseWords(company, place);
}

/** A place on the track, by the seat whose section it is in. @param {Company} company @param {string} place */
function caseWords(company, place) {
  const name = shortNames(company.names);
  const spot = caseOf(place);
  if (spot.case === 16) {
    const seat = (spot.seat + 1) % company.seats;
    return seat === company.me ? gettext("your pieu") : fill(gettext("%(name)s’s pieu"), { name: name[seat] });
  }
  const values = { case: spot.case, name: name[spot.seat] };
  if (spot.seat === company.me) return fill(gettext("your case %(case)s"), values);
  return fill(gettext("%(name)s’s case %(case)s"), values);
}

/** By which case 7 a marble came into the centre. @param {Company} company @param {string} place */
export const entryWords = (company, place) =>
  fill(gettext("in by %(place)s"), { place: caseWords(company, entryOf(place)) });

/**
 * A marble's place where nothing else tells it from another: in the centre, by where it came in.
 * @param {Company} company @param {string} place @param {number} owner
 */
export const whereWords = (company, place, owner) =>
  [placeWords(company, place, owner), ...(isCentre(place) ? [entryWords(company, place)] : [])].join(", ");

/** Whose marbles the own seat moves, when they are not its own. @param {Company} company @param {TockView} view */
export function sideWords(company, view) {
  const { me } = company;
  if (me === undefined || view.phase === "over" || alone(company)) return "";
  const side = sideOf(view, me);
  return side === me
    ? ""
    : fill(gettext("Your four marbles are home: you move %(name)s’s."), { name: shortNames(company.names)[side] });
}
