// Tock's replay: the same reducer and board as the table, fed from the record, forward and back.
import { Analysis, lineWords } from "./analysis.js";
import { tellAside } from "./aside.js";
import { Board } from "./board.js";
import { cardWords, effectWords } from "./cards.js";
import { isStill } from "./chosen.js";
import { byId, el, pageBoot, pageData, swapChildren, the } from "./dom.js";
import { fill, gettext } from "./i18n.js";
import { capital } from "./names.js";
import { goesBack, parsePlay } from "./notation.js";
import { card, cardlet, marbleIcon } from "./pieces.js";
import { grow } from "./pile.js";
import { Playback } from "./playback.js";
import { clear, draw } from "./proposal.js";
import { isAct } from "./record.js";
import { eventWords } from "./telling.js";
import { TockSeats } from "./tock_seats.js";
/** @import { ReplayStep } from "./record.js" */
/** @import { Mark } from "./timeline.js" */
/** @import { Geometry, Pile, TockEvent, TockView } from "./tock_types.js" */
/** @import { Boot } from "./types.js" */

/** What a step of the replay carries. @typedef {{pile: Pile}} Piled */

/** @typedef {ReplayStep<TockView, TockEvent, Piled>} Shown */

/** The cards on the pile at each step. @param {Piled | null} last @param {TockView} view @param {TockEvent} [event] */
export function pileOf(last, view, event) {
  if (!last) return { pile: view.pile ? [view.pile] : [] };
  if (event?.k === "rewind") return { pile: grow([], view) };
  return { pile: event?.k === "play" ? grow(last.pile, view, event) : last.pile };
}

/** What happened at each stop, for the line. @param {Shown[]} steps @param {number[]} at */
export function marksOf(steps, at) {
  /** @type {Mark[]} */
  const marks = [];
  at.forEach((i, index) => {
    if (isAct(steps[i])) {
      marks.push({ kind: "r", index });
      return;
    }
    const kinds = new Set((steps[i].fx ?? []).map(([kind]) => kind));
    if (kinds.has("dealt")) marks.push({ kind: "deal", index });
    if (kinds.has("eaten")) marks.push({ kind: "x", index });
    else if (kinds.has("out")) marks.push({ kind: "s", index });
    else if (/^(burn|blind)\b/.test(steps[i].d?.play ?? "")) marks.push({ kind: "b", index });
  });
  return marks;
}

/** @extends {Playback<TockView, TockEvent, Piled>} */
class Replay extends Playback {
  /** @param {Boot} boot @param {Geometry} geometry */
  constructor(boot, geometry) {
    super(boot, (event) => eventWords(this.company, event));
    this.board = new Board(the(byId("board"), "svg"), geometry, { still: isStill });
    this.seats = new TockSeats(byId("seats"), { ...boot, seat: undefined });
    // Hands open with the end of the game, and only then is a choice judged.
    this.analysis = new Analysis(
      byId("analysis"),
      boot.as === "all" ? boot : { csrf: "" },
      this.company,
      (seq) => this.go(this.indexOf(seq), { still: true }),
      () => this.propose(""),
    );
    // Beside the board a hand is shown at its seat, on narrower windows below the board.
    this.wide = matchMedia("(min-width: 1101px)");
    this.wide.addEventListener("change", () => this.shown && this.hands(this.shown.view));
    this.start();
  }

  /** @type {Shown | undefined} the step shown */
  get shown() {
    return this.steps?.[this.at[this.index]];
  }

  /** @param {string} line */
  playWords(line) {
    const { shown } = this;
    if (!shown?.before) return line;
    const { card } = parsePlay(line);
    const words = lineWords(this.company, shown.before, shown.d?.seat ?? -1, line);
    return card ? `${cardWords(card)}: ${words}` : capital(words);
  }

  /** The reader's play, else the bot's. @param {string} line */
  propose(line) {
    const { before, d } = this.shown ?? {};
    const play = line || this.analysis.better;
    clear(this.board);
    const drawn = Boolean(play && before && d?.seat !== undefined && draw(this.board, before, d.seat, play));
    byId("key-other").hidden = !drawn;
    byId("key-last").hidden = !this.board.layer.last.querySelector(":scope > .board-last");
  }

  /** @param {Shown | null} last @param {TockView} view @param {TockEvent} [event] */
  carry(last, view, event) {
    return pileOf(last, view, event);
  }

  /** @param {Shown[]} steps @param {number[]} at */
  marks(steps, at) {
    return marksOf(steps, at);
  }

  /** @param {Shown} step @param {boolean} forward @param {() => boolean} stale */
  async show(step, forward, stale) {
    const back = goesBack(step.view, step.d?.play?.split(" ")[0] ?? "");
    const { before } = step;
    if (forward && step.fx && before) {
      this.board.show(before);
      this.board.centre(step.pile);
      this.board.last(before, step.fx, back);
      await this.board.motion.run({ ...step, before, after: step.view });
      if (stale()) return;
    }
    this.board.show(step.view);
    this.board.centre(step.pile);
    this.board.last(step.before ?? step.view, step.fx, back);
    this.hands(step.view);
    tellAside(byId("aside"), this.company, step.view);
    this.analysis.at(step.seq, step.before);
    this.propose("");
  }

  /** Does a deal begin with it? @param {Shown} step */
  begins(step) {
    return Boolean(step.fx?.some((effect) => effect[0] === "dealt"));
  }

  /** @param {TockView} view */
  quiet(view) {
    return view.phase === "seating" ? "" : fill(gettext("Deal %(deal)s of 3."), { deal: (view.deal ?? 0) + 1 });
  }

  /** Open hands: one seat's as cards, all of them as small ones. @param {TockView} view */
  hands(view) {
    const box = byId("hands");
    for (const { item } of this.seats.rows) item.querySelector(".seat-cards")?.remove();
    if (view.hands && this.wide.matches) {
      swapChildren(box);
      for (const [seat, cards] of Object.entries(view.hands))
        if (cards.length)
          this.seats.rows[Number(seat)].item.append(el("span", { class: "seat-cards" }, cards.map(cardlet)));
    } else if (view.hands) {
      swapChildren(
        box,
        Object.entries(view.hands).map(([seat, cards]) =>
          el("li", {}, marbleIcon(Number(seat), 24), ...cards.map(cardlet)),
        ),
      );
    } else if (view.hand) {
      swapChildren(
        box,
        el(
          "li",
          { class: "hand" },
          ...view.hand.map((name) => card(name, { label: cardWords(name), effect: effectWords(this.company, name) })),
        ),
      );
    } else swapChildren(box);
  }
}

if (document.getElementById("boot") && document.getElementById("timeline"))
  Object.assign(globalThis, { tockReplay: new Replay(pageBoot(), /** @type {Geometry} */ (pageData("geometry"))) });
