// The one heading of the table: what is expected now, of whom. Pure.
import { rankOf } from "./cards.js";
import { asked, leftOver } from "./choose.js";
import { fill, gettext, ngettext } from "./i18n.js";
import { shortNames } from "./names.js";
import { outcome } from "./results.js";
/** @import { Choice, TockView } from "./tock_types.js" */
/** @import { Named } from "./types.js" */

/**
 * @param {Named} boot @param {TockView} view @param {string} stage of choose.js @param {Choice} choice
 * @returns {string}
 */
export function heading(boot, view, stage, choice) {
  const names = shortNames(boot.names);
  const me = boot.seat ?? undefined;
  const turn = { name: names[view.turn ?? -1] ?? "" };
  if (view.frozen) return gettext("The clocks are stopped");
  switch (view.phase) {
    case "seating": {
      const ready = (view.ready ?? []).filter(Boolean).length;
      if (me !== undefined && !view.ready?.[me]) return gettext("Are you ready?");
      return fill(ngettext("%(count)s of %(seats)s seats is ready", "%(count)s of %(seats)s seats are ready", ready), {
        count: ready,
        seats: boot.seats,
      });
    }
    case "over":
      return outcome(boot, view);
    case "give":
      if (me === undefined) return gettext("Partners exchange one card");
      if (stage === "wait") return gettext("Your card is laid aside; the others are choosing");
      return fill(gettext("Give a card to %(name)s"), { name: names[(me + boot.teams) % boot.seats] });
    case "deck":
      return gettext("A new deck is shuffled");
    case "blind":
      return fill(gettext("%(name)s serves a penalty"), turn);
    default:
  }
  if (me === undefined || view.turn !== me) {
    if (view.phase === "forced") return fill(gettext("%(name)s must burn a card"), turn);
    if (view.phase === "joker") return fill(gettext("%(name)s plays on after the joker"), turn);
    return fill(gettext("%(name)s’s turn"), turn);
  }
  return myHeading(view, me, stage, choice);
}

/** @param {TockView} view @param {number} me @param {string} stage @param {Choice} choice */
function myHeading(view, me, stage, choice) {
  if (view.phase === "forced") return gettext("Your turn: you must burn a card");
  const verb = asked(view);
  if (verb === "burn") {
    if (view.phase === "joker") return gettext("Nothing goes with that marble: burn a card");
    return gettext("Your turn: nothing can be played, burn a card");
  }
  if (verb === "throw") return gettext("Your turn: throw in your hand");
  if (stage === "confirm") return gettext("Your turn: release the marbles?");
  if (stage === "target" && rankOf(choice.card) === "J") return gettext("Your turn: swap it with which marble?");
  if (stage === "target") return gettext("Your turn: where do you release the marble?");
  if (stage === "marble" && choice.legs.length) {
    const count = leftOver(view, me, choice);
    return fill(
      ngettext("Your turn: %(count)s more, with which marble?", "Your turn: %(count)s more, with which marble?", count),
      { count },
    );
  }
  if (stage === "marble") return gettext("Your turn: which marble?");
  if (stage === "lay" && asked(view) === "play") return gettext("Your turn: where does it go?");
  if (stage === "card" && choice.marble) return gettext("Your turn: which card for that marble?");
  if (view.phase === "joker") return gettext("Your turn again: play on with the same marble");
  return gettext("Your turn: choose a card");
}
