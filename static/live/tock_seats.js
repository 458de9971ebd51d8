// The list of seats at Tock's table: who deals, whose marbles a seat moves, who is home or out of the game.
import { fill, gettext } from "./i18n.js";
import { alone, shortNames } from "./names.js";
import { sideOf } from "./notation.js";
import { letterOf } from "./pieces.js";
import { Seats } from "./seats.js";
/** @import { Standing } from "./seats.js" */
/** @import { TockView } from "./tock_types.js" */

/** @extends {Seats<TockView>} */
export class TockSeats extends Seats {
  /** What the seat is and does, in a few words each. @param {TockView} view @param {number} seat */
  doing(view, seat) {
    const said = view.dealer === seat ? [gettext("Dealer")] : [];
    if (view.phase === "give") said.push(view.given?.[seat] ? gettext("card laid aside") : gettext("chooses"));
    return said;
  }

  /**
   * A seat that does not play as the others do: a word, and a sign for narrow screens.
   * @param {TockView} view @param {number} seat @returns {Standing | null}
   */
  standing(view, seat) {
    const { boot } = this;
    if (view.phase === "seating" || view.phase === "over") return null;
    const place = (view.finished ?? []).indexOf(seat) + 1;
    if (place) return { sign: `✓${place}`, words: fill(gettext("home, place %(place)s"), { place }), off: true };
    if ((view.out ?? []).includes(seat % boot.teams))
      return { sign: "×", words: gettext("out of the game"), off: true };
    const side = sideOf(view, seat);
    const helps =
      side === seat || alone(boot)
        ? null
        : fill(gettext("plays %(name)s’s marbles"), { name: shortNames(boot.names)[side] });
    if ((view.thrown ?? []).includes(seat)) return { sign: "–", words: gettext("has thrown in"), off: true };
    return helps === null ? null : { sign: `→${letterOf(side).toUpperCase()}`, words: helps };
  }
}
