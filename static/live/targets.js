// Where a marble of Tock may go, in words: what is there, how far it is, what arriving does.
import { rankOf } from "./cards.js";
import { fill, gettext, ngettext } from "./i18n.js";
import { capital, listed, shortNames } from "./names.js";
import { caseOf, goesBack, isCentre, isTrack, nextSeat, wayOf } from "./notation.js";
import { entryWords, placeWords } from "./places.js";
import { sheetOf } from "./sheet.js";
/** @import { Seated, Target, TockView } from "./tock_types.js" */

/**
 * The button of a target: what it is and what it costs.
 * @param {Seated} company @param {Target} target @param {string} card @param {TockView} [view]
 */
export function targetWords(company, target, card, view) {
  const title = capital(placeWords(company, target.place, target.other ?? target.owner));
  return {
    title,
    detail: [...wayWords(company, target, card), ...consequences(company, target, card, view)].join(", "),
  };
}

/** @param {Seated} company @param {Target} target @param {string} card */
function wayWords(company, target, card) {
  if (target.kind === "swap") return [];
  if (target.from === "r") return [gettext("a marble comes out")];
  if (isCentre(target.from)) return [gettext("out of the centre")];
  if (isCentre(target.place)) return [gettext("a king brings it out again")];
  const back = goesBack(company, card);
  const way = wayOf(company, target.owner, target.from, target.place, back);
  const count = way.path.length - 1;
  const steps = back
    ? ngettext("%(count)s step back", "%(count)s steps back", count)
    : ngettext("%(count)s step", "%(count)s steps", count);
  return [fill(steps, { count }), ...(way.jump ? [gettext("jumps across")] : [])];
}

/**
 * What arriving there does, in a few words each.
 * @param {Seated} company @param {Target} target @param {string} card @param {TockView} [view]
 */
function consequences(company, target, card, view) {
  const name = shortNames(company.names);
  if (target.kind === "swap") {
    if (target.other === target.owner) return [gettext("changes places with the other marble")];
    return [fill(gettext("changes places with %(name)s’s marble"), { name: name[target.other ?? -1] })];
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
  if (next !== company.me && view?.count?.[next])
    said.push(fill(gettext("%(name)s burns a card"), { name: name[next] }));
  return said;
}

/**
 * The button of a marble's play, where several marbles may move: where to, from where, what it costs.
 * @param {Seated} company @param {Target} target @param {string} card @param {TockView} [view]
 */
export function playWords(company, target, card, view) {
  const { title, detail } = targetWords(company, target, card, view);
  if (target.from === "r") return { title, detail };
  const place = placeWords(company, target.from, target.owner);
  // Translators: on the button of a play; %(place)s is where the marble stands, for instance "your case 8".
  const from = [
    fill(gettext("from %(place)s"), { place }),
    ...(isCentre(target.from) ? [entryWords(company, target.from)] : []),
  ];
  return { title, detail: [...from, ...(detail ? [detail] : [])].join(", ") };
}
