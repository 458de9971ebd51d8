// Tractor's replay: the same felt and words as the table, fed from the record, forward and back.
import { byId, el, pageBoot, say, swapChildren } from "../dom.js";
import { fill, gettext } from "../i18n.js";
import { shortNames } from "../names.js";
import { marbleIcon } from "../pieces.js";
import { Playback } from "../playback.js";
import { isAct } from "../record.js";
import { sheetOf } from "../sheet.js";
import { tellAside } from "./aside.js";
import { cardlet } from "./cards.js";
import { Felt, showLast, subWords } from "./felt.js";
import { Hand } from "./hand.js";
import { groupsOf, orderOfView } from "./order.js";
import { TractorSeats } from "./seats.js";
import { effectOf, Story, tricksAfter } from "./telling.js";
/** @import { ReplayStep } from "../record.js" */
/** @import { Mark } from "../timeline.js" */
/** @import { Boot } from "../types.js" */
/** @import { TractorEvent, TractorSheet, TractorView } from "./types.js" */

/** What a step of the replay carries: the tricks of each team. @typedef {{tricks?: number[]}} Tricks */

/** @typedef {ReplayStep<TractorView, TractorEvent, Tricks>} Shown */

/**
 * The tricks of each team so far in the round, at each step.
 * @param {Tricks | null} last @param {TractorView} _view @param {TractorEvent} [event] @returns {Tricks}
 */
export const carryTricks = (last, _view, event) => ({
  tricks: last && event ? tricksAfter(last.tricks, event) : undefined,
});

/** What happened at each stop, for the line. @param {Shown[]} steps @param {number[]} at */
export function marksOf(steps, at) {
  /** @type {Mark[]} */
  const marks = [];
  let from = 0;
  at.forEach((i, index) => {
    const passed = steps.slice(from + 1, i + 1); // draws and decks are no stops of their own
    from = i;
    if (isAct(steps[i])) {
      marks.push({ kind: "r", index });
      return;
    }
    const facts = passed.flatMap((step) => step.fx ?? []);
    const [, winner] = effectOf(facts, "trick") ?? [];
    if (passed.some((step) => step.d?.play?.startsWith("deck"))) marks.push({ kind: "deal", index });
    if (facts.some(([kind]) => kind === "failed")) marks.push({ kind: "x", index });
    else if (winner !== undefined && winner % 2 !== steps[i].before?.declarers) marks.push({ kind: "s", index });
  });
  return marks;
}

/** @extends {Playback<TractorView, TractorEvent, Tricks>} */
class TractorReplay extends Playback {
  /** @param {Boot} boot */
  constructor(boot) {
    super(boot, (event) => this.story.tell(event));
    /** @type {TractorSheet} */
    this.sheet = sheetOf(this.company);
    this.story = new Story(this.company, this.sheet);
    this.felt = new Felt({ ...boot, seat: undefined }, this.sheet);
    this.hand = new Hand(byId("hand"), { toggle: () => {} });
    this.seats = new TractorSeats(byId("seats"), { ...boot, seat: undefined });
    /** @type {TractorView | undefined} */
    this.shown = undefined;
    byId("last-trick").addEventListener("click", () => this.showLast());
    this.start();
  }

  /** @param {Shown | null} last @param {TractorView} view @param {TractorEvent} [event] */
  carry(last, view, event) {
    return carryTricks(last, view, event);
  }

  /** @param {Shown[]} steps @param {number[]} at */
  marks(steps, at) {
    return marksOf(steps, at);
  }

  /** @param {Shown} step */
  async show(step) {
    const { view } = step;
    this.shown = view;
    say(byId("sub"), subWords(view));
    this.felt.show(view, step.tricks);
    this.hands(view);
    tellAside(byId("aside"), this.company, view, this.sheet, null);
  }

  /** @param {TractorView} view */
  deciding(view) {
    const all = Array.from({ length: this.boot.seats }, (_, seat) => seat);
    if (view.phase === "show") return new Set(all.filter((seat) => !view.passed?.includes(seat)));
    return new Set((view.phase === "bury" || view.phase === "play") && view.turn !== undefined ? [view.turn] : []);
  }

  /** @param {Shown} step */
  begins(step) {
    return Boolean(step.d?.play?.startsWith("deck"));
  }

  /** @param {TractorView} view */
  quiet(view) {
    return view.phase === "seating" || !view.round ? "" : fill(gettext("Round %(round)s"), { round: view.round });
  }

  /** Open hands: one seat's as on the table, all of them as small cards. @param {TractorView} view */
  hands(view) {
    const order = orderOfView(view, this.sheet);
    byId("hand").hidden = !view.hand;
    if (view.hand) this.hand.show({ cards: view.hand, order, chosen: new Set(), may: false, follow: "", only: false });
    const open = Object.entries(view.hands ?? {}).filter(([, cards]) => cards.length);
    swapChildren(
      byId("hands"),
      open.map(([seat, cards]) =>
        el(
          "li",
          {},
          marbleIcon(Number(seat), 24),
          groupsOf(order, cards).map((group) => el("span", { class: "tractor-run" }, group.cards.map(cardlet))),
        ),
      ),
    );
  }

  showLast() {
    if (this.shown) showLast(this.shown, shortNames(this.boot.names));
  }
}

if (document.getElementById("boot") && document.getElementById("timeline"))
  Object.assign(globalThis, { tockReplay: new TractorReplay(pageBoot()) });
