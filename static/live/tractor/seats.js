// The list of seats at Tractor's table: who starts, who has passed, what the teams are and at which rank.
import { gettext } from "../i18n.js";
import { Seats } from "../seats.js";
import { rankWords } from "./cards.js";
/** @import { TractorView } from "./types.js" */

export class TractorSeats extends Seats {
  /** @param {TractorView} view @param {number} seat */
  doing(view, seat) {
    const said = view.starter === seat && seat === this.boot.seat && view.phase !== "over" ? [gettext("starter")] : [];
    if (view.drawer === seat && (view.phase === "draw" || view.phase === "deck")) said.push(gettext("draws first"));
    if (view.show?.seat === seat && view.phase !== "play" && view.phase !== "over") said.push(gettext("has shown"));
    else if (view.passed?.includes(seat)) said.push(gettext("has passed"));
    if (view.phase === "play" && view.trick?.length && view.leader === seat) said.push(gettext("has led"));
    return said;
  }

  /** The starter, with a sign for narrow screens. @param {TractorView} view @param {number} seat */
  standing(view, seat) {
    if (view.phase === "seating" || view.phase === "over" || view.starter !== seat) return null;
    return { sign: "⚑", words: gettext("starter") };
  }

  /** @param {TractorView} view @param {number} team */
  beside(view, team) {
    const said = [super.beside(view, team)];
    if (view.ranks && view.phase !== "seating") {
      if (view.declarers !== undefined)
        said.push(view.declarers === team ? gettext("declarers") : gettext("opponents"));
      said.push(rankWords(view.ranks[team]));
    }
    return said.filter(Boolean).join(" · ");
  }
}
