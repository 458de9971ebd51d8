// Tock's replay: the same reducer and board as the table, fed from the record, forward and back.
import { Analysis } from "./analysis.js";
import { tellAside } from "./aside.js";
import { Board, grow } from "./board.js";
import { cardWords, effectWords } from "./cards.js";
import { el, pageBoot, pageData, swapChildren } from "./dom.js";
import { fill, gettext } from "./i18n.js";
import { goesBack } from "./notation.js";
import { card, cardlet, marbleIcon } from "./pieces.js";
import { byId, isAct, Playback } from "./playback.js";
import { eventWords } from "./telling.js";
import { TockSeats } from "./tock_seats.js";

/** The cards on the pile at each step. */
export function pileOf(last, view, event) {
  if (!last) return { pile: view.pile ? [view.pile] : [] };
  if (event.k === "rewind") return { pile: grow([], view) };
  return { pile: event.k === "play" ? grow(last.pile, view, event) : last.pile };
}

/** What happened at each stop, for the line. */
export function marksOf(steps, at) {
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

class Replay extends Playback {
  constructor(boot, geometry) {
    super(boot, (event) => eventWords(this.company, event));
    this.board = new Board(byId("board").querySelector("svg"), geometry, { still: () => this.calm.matches });
    this.seats = new TockSeats(byId("seats"), { ...boot, seat: undefined });
    // Hands open with the end of the game, and only then is a choice judged.
    this.analysis = new Analysis(byId("analysis"), boot.as === "all" ? boot : {}, this.company, (seq) => this.go(this.indexOf(seq), { still: true }));
    this.carry = pileOf;
    this.marks = marksOf;
    this.start();
  }

  async show(step, forward, stale) {
    const back = goesBack(step.view, step.d?.play?.split(" ")[0] ?? "");
    if (forward && step.fx) {
      this.board.show(step.before);
      this.board.centre(step.pile);
      this.board.last(step.before, step.fx, back);
      await this.board.motion.run(step);
      if (stale()) return;
    }
    this.board.show(step.view);
    this.board.centre(step.pile);
    this.board.last(step.before ?? step.view, step.fx, back);
    this.hands(step.view);
    tellAside(byId("aside"), this.company, step.view);
    this.analysis.at(step.seq, step.before);
  }

  /** Does a deal begin with it? */
  begins(step) {
    return step.fx?.some(([kind]) => kind === "dealt");
  }

  quiet(view) {
    return view.phase === "seating" ? "" : fill(gettext("Deal %(deal)s of 3."), { deal: (view.deal ?? 0) + 1 });
  }

  /** Open hands: one seat's as cards, all of them as small ones. */
  hands(view) {
    const box = byId("hands");
    if (view.hands) {
      swapChildren(box, Object.entries(view.hands).map(([seat, cards]) =>
        el("li", {}, marbleIcon(Number(seat), 24), ...cards.map(cardlet))));
    } else if (view.hand) {
      swapChildren(box, el("li", { class: "hand" }, ...view.hand.map((name) => card(name, { label: cardWords(name), effect: effectWords(this.company, name) }))));
    } else swapChildren(box);
  }
}

if (byId("boot") && byId("timeline")) globalThis.tockReplay = new Replay(pageBoot(), pageData("geometry"));
