// The one heading of Tractor's table: what is expected now, of whom. Pure.
import { fill, gettext, ngettext } from "../i18n.js";
import { listed, outcome, shortNames } from "../words.js";
import { followHeading } from "./words.js";

/**
 * @param {object} boot @param {object} view
 * @param {import("./follow.js").Owed | null} owed what the own hand owes to the lead; null when it leads or nothing is asked of it
 */
export function heading(boot, view, owed) {
  const names = shortNames(boot.names);
  const me = boot.seat ?? undefined;
  const turn = { name: names[view.turn] ?? "" };
  const mine = me !== undefined && view.turn === me;
  if (view.frozen) return gettext("The clocks are stopped");
  switch (view.phase) {
    case "seating": {
      const ready = (view.ready ?? []).filter(Boolean).length;
      if (me !== undefined && !view.ready?.[me]) return gettext("Are you ready?");
      return fill(ngettext("%(count)s of %(seats)s seats is ready", "%(count)s of %(seats)s seats are ready", ready), { count: ready, seats: boot.seats });
    }
    case "over":
      return outcome(boot, view);
    case "deck":
      return view.last && view.previous ? fill(gettext("Round %(round)s is over"), view.previous) : gettext("A new deck is shuffled");
    case "draw":
      return gettext("The cards are drawn");
    case "show": {
      const waiting = names.filter((_, seat) => !view.passed?.includes(seat));
      if (me !== undefined && !view.passed?.includes(me)) return gettext("Show trumps, or pass");
      return fill(gettext("Trumps are chosen: waiting for %(names)s"), { names: listed(waiting) });
    }
    case "bury":
      return mine ? gettext("Bury eight cards") : fill(gettext("%(name)s takes the talon and buries eight cards"), turn);
    default:
  }
  const leading = !view.trick?.length;
  if (!mine) return leading ? fill(gettext("%(name)s leads"), turn) : fill(gettext("%(name)s’s turn"), turn);
  return leading || !owed ? gettext("Your lead") : followHeading(owed);
}
