// A replay, whatever was played: the record as steps, the line, the list, forward and back, seen by whom. A game's own
// replay extends it with what it shows.
import { Controls } from "./controls.js";
import { Dispute } from "./dispute.js";
import { byId, say } from "./dom.js";
import { fill, gettext } from "./i18n.js";
import { Plays } from "./plays.js";
import { isAct, numbersOf, stepsOf, stops, takenBack } from "./record.js";
import { outcome } from "./results.js";
import { Timeline } from "./timeline.js";
/** @import { ReplayStep } from "./record.js" */
/** @import { Seats } from "./seats.js" */
/** @import { Mark } from "./timeline.js" */
/** @import { Boot, Company, Events, GameEvent, Snap, Told, View } from "./types.js" */

/** @template {View} V @template {GameEvent} E @template C */
export class Playback {
  /** @type {Seats<V>} set by the game's replay */
  seats = /** @type {Seats<V>} */ (/** @type {unknown} */ (undefined));

  /**
   * A game's replay adds `seats`; `carry(last, view, event)`, `marks(steps, at)`, `show(step, forward, stale)`,
   * `begins(step)`, `quiet(view)`.
   * @param {Boot} boot @param {(event: E & {before?: V}) => Told | null} tell an event in words
   */
  constructor(boot, tell) {
    this.boot = boot;
    /** @type {Company} */
    this.company = {
      seats: boot.seats,
      teams: boot.teams,
      rules: boot.rules,
      names: boot.names,
      team_names: boot.team_names,
      me: undefined,
    };
    this.as = new URLSearchParams(location.search).get("as") ?? boot.as ?? "spectator";
    this.plays = new Plays(byId("plays"), { tell, keep: 5000, href: (seq) => `#${seq}` });
    this.line = new Timeline(byId("timeline"), (index) => this.go(index));
    this.index = 0;
    this.turn = 0; // how often a stop was asked for
    /** @type {ReplayStep<V, E, C>[] | undefined} once the record is there */
    this.steps = undefined;
    /** @type {number[]} the steps a reader stops at */
    this.at = [];
    /** @type {number[]} the number of the play at each stop */
    this.numbers = [];
    this.controls = new Controls(this);
    this.dispute = new Dispute(boot);
    /** @type {import("./remarks.js").Remarks | undefined} of a finished game */
    this.remarks = undefined;
    /** @type {import("./extras.js").Extras | undefined} */
    this.extras = undefined;
    import("./extras.js")
      .then(({ Extras }) => {
        this.extras = new Extras(this);
      })
      .catch(() => null);
  }

  /**
   * What else a step holds.
   * @param {ReplayStep<V, E, C> | null} _last @param {V} _view @param {E} [_event] @returns {C}
   */
  carry(_last, _view, _event) {
    return /** @type {C} */ ({});
  }

  /**
   * What happened at each stop, for the line.
   * @param {ReplayStep<V, E, C>[]} _steps @param {number[]} _at @returns {Mark[]}
   */
  marks(_steps, _at) {
    return [];
  }

  /**
   * Show a step. `stale`: another one was asked for meanwhile.
   * @param {ReplayStep<V, E, C>} _step @param {boolean} _forward @param {() => boolean} _stale @returns {Promise<void>}
   */
  async show(_step, _forward, _stale) {}

  /** Does a deal begin with it? @param {ReplayStep<V, E, C>} _step @returns {boolean} */
  begins(_step) {
    return false;
  }

  /** The line under the table. @param {V} _view */
  quiet(_view) {
    return "";
  }

  /** A play at the position before the step shown, in words. @param {string} line */
  playWords(line) {
    return line;
  }

  /** Draw a play that could have been made instead of the one shown, "" for none. @param {string} _line */
  propose(_line) {}

  async loadRemarks() {
    if (!this.boot.comments) return;
    const { Remarks } = await import("./remarks.js");
    this.remarks = new Remarks(byId("remarks"), this.boot, {
      words: (line) => this.playWords(line),
      propose: (line) => this.propose(line),
    });
    await this.remarks.load(this.plays);
    this.tellRemarks();
  }

  /** Say which play is shown. */
  tellRemarks() {
    const step = this.steps?.[this.at[this.index]];
    if (!step) return;
    const played = step.k === "play" && this.index > 0 && step.d?.seat !== undefined;
    this.remarks?.at({ seq: step.seq, seat: step.d?.seat, line: played ? (step.d?.play ?? "") : "" });
  }

  /** From where, and in which seat, the button plays on. @param {ReplayStep<V, E, C>} step */
  aim(step) {
    const form = /** @type {HTMLFormElement | null} */ (document.getElementById("play-on"));
    if (!form) return;
    form.hidden = false;
    const [seq, seat] = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("[name=seq], [name=seat]")]);
    seq.value = String(step.seq);
    seat.value = this.as.startsWith("seat:") ? this.as.slice(5) : "";
    const button = /** @type {HTMLButtonElement} */ (form.querySelector("button"));
    button.disabled = ["seating", "over"].includes(step.view.phase);
  }

  /** Once the game's own parts are there. */
  start() {
    this.controls.start();
    this.load().then(() => {
      this.fromAddress(true);
      this.loadRemarks().catch(() => null);
    });
    this.dispute.ask();
    document.getElementById("check-deal")?.addEventListener("click", async () => {
      const { show } = await import("./deal/panel.js");
      await show(this.boot);
    });
  }

  /** The number of the step shown. */
  get seq() {
    return this.steps?.[this.at[this.index]]?.seq;
  }

  async load() {
    const { seq } = this;
    try {
      const reply = await fetch(`${this.boot.record}?as=${encodeURIComponent(this.as)}`, {
        credentials: "same-origin",
      });
      if (!reply.ok) throw new Error(String(reply.status));
      /** @type {{frames: [Snap, ...Events[]]}} */
      const record = await reply.json();
      this.steps = stepsOf(record.frames, (last, view, event) => this.carry(last, view, event));
    } catch {
      this.tell(gettext("The record could not be read. Reload the page to try again."));
      return;
    }
    const { steps } = this;
    this.tell("");
    this.at = stops(steps);
    this.plays.clear();
    this.numbers = numbersOf(steps, this.at);
    for (const step of steps) if (step.k === "rewind") step.d = { ...step.d, plays: takenBack(steps, step) };
    for (const [index, i] of this.at.entries()) {
      if (index) this.plays.add(/** @type {ReplayStep<V, E, C> & E} */ (steps[i]), this.numbers[index]);
    }
    this.plays.tellEmpty(byId("no-plays"));
    this.remarks?.mark();
    const drawn = this.line.draw(this.at.length - 1, this.marks(steps, this.at));
    for (const key of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-mark]")))
      key.hidden = !drawn.has(key.dataset.mark ?? "");
    if (seq !== undefined) this.go(this.indexOf(seq), { still: true });
  }

  /** @param {string} text */
  tell(text) {
    const box = byId("strip");
    box.hidden = !text;
    say(box, text);
  }

  /** @param {number} seq */
  indexOf(seq) {
    let found = 0;
    this.at.forEach((i, index) => {
      if (this.steps && this.steps[i].seq <= seq) found = index;
    });
    return found;
  }

  /**
   * The play the address names; without one, the end of a running game or the start of a finished one.
   * @param {boolean} [first]
   */
  fromAddress(first = false) {
    if (!this.steps) return;
    const seq = Number(location.hash.slice(1));
    if (seq > 0) this.go(this.indexOf(seq), { still: first });
    else if (first) this.go(0, { still: true });
  }

  /** Show a stop; one step forward is animated. @param {number} index @param {{still?: boolean}} [state] */
  async go(index, { still = false } = {}) {
    if (!this.steps) return;
    const to = Math.min(this.at.length - 1, Math.max(0, index));
    const forward = to === this.index + 1 && !still;
    this.index = to;
    this.turn += 1;
    const { turn } = this;
    const step = this.steps[this.at[to]];
    this.describe(step, to);
    if (forward) this.extras?.cues?.again(step);
    await this.show(step, forward, () => turn !== this.turn);
    if (turn !== this.turn) return;
    this.seats.show(step.view, this.deciding(step.view));
    this.seats.tick(step.clocks, step.clocks.opened ?? 0, step.view.phase);
    this.dispute.show(step.seq ?? 0);
    this.aim(step);
    this.tellRemarks();
    if (step.seq && Number(location.hash.slice(1)) !== step.seq) history.replaceState(null, "", `#${step.seq}`);
  }

  /** @param {V} view */
  deciding(view) {
    return new Set(view.phase === "over" || view.phase === "seating" || view.turn === undefined ? [] : [view.turn]);
  }

  /** @param {ReplayStep<V, E, C>} step @param {number} index */
  describe(step, index) {
    const item = this.plays.current(step.seq);
    const words = index ? (item?.querySelector(".play-link")?.firstChild?.textContent ?? "") : "";
    let title = index
      ? fill(gettext("Play %(number)s: %(text)s"), { number: this.numbers[index], text: words })
      : gettext("Before the first play");
    if (index && isAct(step)) title = words;
    if (step.view.phase === "over" && index === this.at.length - 1)
      title = outcome({ ...this.boot, seat: undefined }, step.view);
    say(byId("heading"), title);
    say(byId("said"), words);
    this.line.at(index, title);
    say(byId("quiet"), this.quiet(step.view));
    this.controls.settle();
  }

  nextDeal() {
    const { steps } = this;
    if (!steps) return;
    const from = this.at[this.index];
    const next = this.at.findIndex(
      (i, index) => index > this.index && steps.slice(from + 1, i + 1).some((step) => this.begins(step)),
    );
    this.go(next < 0 ? this.at.length - 1 : next, { still: true });
  }
}
