// The time cap of a game: what is left of it, the warnings, the call and what follows. Loaded where there is one.
import { minutes } from "./clock.js";
import { byId, say } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";
/** @import { TimeCap, View } from "./types.js" */

const WARNINGS = [300000, 60000]; // ms before the cap
const SHOWN = 600000; // before that the clock of the hall is enough

/** What happens at the cap, as the end of a sentence. @param {TimeCap} cap */
function callWords({ call }) {
  if (call === "deal") return gettext("then the last deal");
  return call === "turn" ? gettext("then one more turn each") : gettext("then the game ends");
}

/** What the call means, once it is made. @param {TimeCap} cap */
export function calledWords({ call, counts, extra, tie }) {
  if (extra && tie === "next_home") return gettext("Time is up and the sides are equal: the next marble home decides.");
  if (extra) return gettext("Time is up and the sides are equal: one more deal.");
  const steps = counts === "steps";
  if (call === "turn")
    return steps
      ? gettext("Time is up: one more turn each, then the steps walked decide.")
      : gettext("Time is up: one more turn each, then the marbles home decide.");
  return steps
    ? gettext("Last deal: at its end the steps walked decide.")
    : gettext("Last deal: at its end the marbles home decide.");
}

/**
 * Milliseconds left; undefined once the call is made, and before the first deal. Pure.
 * @param {TimeCap} cap @param {number} now
 */
export function leftOf(cap, now) {
  if (cap.called) return undefined;
  return cap.left ?? (cap.due === undefined ? undefined : Math.max(0, cap.due - now));
}

export class TimeCaps {
  constructor() {
    this.place = byId("time-cap");
    this.warned = Number.POSITIVE_INFINITY; // ms left at the last warning
    this.told = ""; // the words of the call, as last said
  }

  /** Several times a second. @param {View} view @param {number} now */
  tick(view, now) {
    const { cap } = view;
    const left = cap && view.phase !== "over" ? leftOf(cap, now) : undefined;
    const words = cap?.called && view.phase !== "over" ? calledWords(cap) : "";
    this.place.hidden = !words && (left === undefined || left > SHOWN);
    this.place.classList.toggle("low", Boolean(words) || (left ?? SHOWN) <= WARNINGS[0]);
    if (words) this.call(words);
    else if (cap && left !== undefined && left <= SHOWN) {
      say(this.place, fill(gettext("%(time)s left, %(call)s."), { time: minutes(left), call: callWords(cap) }));
      this.warn(cap, left);
    }
  }

  /** Say the call once, also to whoever comes later. @param {string} words */
  call(words) {
    say(this.place, words);
    if (this.told === words) return;
    this.told = words;
    say(byId("called"), words);
  }

  /** @param {TimeCap} cap @param {number} left */
  warn(cap, left) {
    const due = WARNINGS.find((at) => left <= at && at < this.warned && left > at - 30000);
    if (due === undefined) return;
    this.warned = due;
    const count = Math.round(due / 60000);
    const said = ngettext("%(count)s minute left, %(call)s.", "%(count)s minutes left, %(call)s.", count);
    say(byId("said"), fill(said, { count, call: callWords(cap) }));
  }
}
