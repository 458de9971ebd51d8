// What the player does at Tractor's table: chooses cards, plays, buries, shows, passes. The rules stay on the server;
// what is plainly wrong is said here already, with the rule that it breaks.
import { follows, leads, owedTo } from "./follow.js";
import { orderOfView, rankOfRound } from "./order.js";
import { shapeOf } from "./shapes.js";
import { refusalWords } from "./words.js";
/** @import { Arguments, Refusal } from "../types.js" */

const CARD = /^(?:(?:10|[2-9AJQK])[CDHS]|[BR]J)$/;

/** Cards as the player writes them, "" when they are none. @param {string} text */
const cardsIn = (text) => {
  const cards = text
    .trim()
    .toUpperCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  return cards.length && cards.every((card) => CARD.test(card)) ? cards.join(" ") : "";
};

/**
 * What was typed as a command: cards alone are played, or buried where burying is due.
 * @param {string} text @param {string} phase @returns {{kind: string, args: Arguments} | null}
 */
export function typedCommand(text, phase) {
  const [word = "", ...rest] = text.trim().split(/\s+/);
  const lower = word.toLowerCase();
  if (lower === "pass") return { kind: "pass", args: {} };
  if (lower === "show" || lower === "bury") {
    const cards = cardsIn(rest.join(" ").replace(/^\d+\s*:/, ""));
    return cards ? { kind: lower, args: { cards } } : null;
  }
  const cards = cardsIn(lower === "play" ? rest.join(" ") : text);
  if (!cards) return null;
  return phase === "bury" && lower !== "play"
    ? { kind: "bury", args: { cards } }
    : { kind: "play", args: { play: `play ${cards}` } };
}

export class Player {
  /** @param {import("./table.js").TractorTable} table {boot, view, link, around, seated, waiting, sheet, render} */
  constructor(table) {
    this.table = table;
    this.chosen = new Set(); // keys of cards: "QS#0", "QS#1"
    this.sent = 0; // commands not yet answered
    this.asked = 0; // those among them whose answer this page still has to take in
    this.until = 0; // the view must have come to this seq before the player acts again
    this.at = ""; // the phase the choice was made in
  }

  get view() {
    return this.table.view;
  }

  get busy() {
    return this.sent > 0 || this.asked > 0 || (this.table.link.held?.seq ?? Infinity) < this.until;
  }

  /** Is something asked of this seat now, and may it be answered? */
  get mayChoose() {
    const { table } = this;
    return table.seated && !this.busy && table.waiting === 0 && !table.stopped && Boolean(this.view.legal);
  }

  /**
   * The shows and the pass that may go out now, as lines of notation. Every seat offers for itself, whatever the others
   * do: a press while events are still being shown counts, so the newest view is read, not the one on the screen.
   */
  get offers() {
    const { table } = this;
    return new Set(table.seated && !this.busy && !table.stopped ? table.link.held?.view.legal : []);
  }

  /** Cards may be chosen ahead of the own turn: that is nobody else's business. */
  get maySelect() {
    return (
      this.table.seated &&
      Boolean(this.view.hand) &&
      (this.view.phase === "play" || (this.view.phase === "bury" && this.mine))
    );
  }

  /** Is it this seat that plays or buries? */
  get mine() {
    const { view } = this;
    return this.table.seated && view.turn === this.table.company.me && (view.phase === "play" || view.phase === "bury");
  }

  /** The choice as the page shows it. */
  get choice() {
    const { view } = this;
    const order = orderOfView(view, this.table.sheet);
    const [lead] = view.trick ?? [];
    const leading = !lead;
    const cards = this.cards();
    const owed = lead && view.hand && view.trump ? owedTo(order, lead, view.hand, this.table.sheet.duty) : null;
    return { order, leading, cards, owed, shape: view.trump && cards.length ? shapeOf(order, cards) : null };
  }

  /** The chosen cards, in the order of the hand. */
  cards() {
    return [...this.chosen].map((key) => key.split("#")[0]).sort();
  }

  /** What is chosen stays chosen while its cards are in the hand and the phase is the same. */
  settle() {
    const { view } = this;
    if (this.at !== view.phase) this.chosen.clear();
    this.at = view.phase;
    const left = new Map();
    for (const card of view.hand ?? []) left.set(card, (left.get(card) ?? 0) + 1);
    for (const key of this.chosen)
      if (Number(key.split("#")[1]) >= (left.get(key.split("#")[0]) ?? 0)) this.chosen.delete(key);
  }

  /** @param {string} key */
  toggle(key) {
    if (!this.maySelect) return;
    if (!this.chosen.delete(key)) this.chosen.add(key);
    this.table.around.refused("");
    this.table.render();
  }

  /** Esc: nothing is chosen any more. */
  cancel() {
    if (!this.chosen.size || this.busy) return false;
    this.chosen.clear();
    this.table.around.refused("");
    this.table.render();
    return true;
  }

  /** Why the choice would be refused, "" when nothing speaks against it. */
  wrong() {
    const { view } = this;
    const { hand = [], trick: [lead] = [] } = view;
    const { order, cards } = this.choice;
    if (view.phase === "bury") return cards.length === this.table.sheet.talon ? "" : "WRONG_COUNT";
    return lead ? follows(order, lead, hand, cards, this.table.sheet.duty) : leads(order, hand, cards);
  }

  /** Play or bury what is chosen. */
  go() {
    if (!this.mine || !this.mayChoose) return;
    const why = this.wrong();
    if (why) {
      this.refuse({ code: "illegal", why });
      return;
    }
    const cards = this.cards().join(" ");
    if (this.view.phase === "bury") this.ask("bury", { cards });
    else this.ask("play", { play: `play ${cards}` });
  }

  /** @param {string} cards */
  show(cards) {
    this.offer("show", `: ${cards}`, { cards });
  }

  pass() {
    this.offer("pass", "", {});
  }

  /** @param {string} kind @param {string} what @param {Arguments} args */
  offer(kind, what, args) {
    if (this.offers.has(`${kind} ${this.table.company.me}${what}`)) this.ask(kind, args);
  }

  /** @param {Refusal} nak */
  refuse(nak) {
    const { view, sheet } = this.table;
    const { owed } = this.choice;
    this.table.around.refused(
      refusalWords(nak, {
        phase: view.phase,
        owed: this.mine ? owed : null,
        talon: sheet.talon,
        rank: rankOfRound(view),
      }),
    );
    document.getElementById("refused")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} kind @param {Arguments} args */
  async ask(kind, args) {
    const { table } = this;
    table.around.refused("");
    this.asked += 1;
    const answer = await table.link.commands.send(kind, args);
    this.asked -= 1;
    if (answer.t === "nak") this.refuse(answer);
    else {
      this.until = answer.seq ?? 0;
      if (kind === "play" || kind === "bury") this.chosen.clear(); // what a failed throw gives back is chosen no more
    }
    table.render();
    return answer;
  }

  /** A line of notation goes out as it is: the server says what it breaks. @param {string} text */
  typed(text) {
    if (!this.mayChoose) return false;
    const command = typedCommand(text, this.view.phase);
    if (command) this.ask(command.kind, command.args);
    else this.refuse({ code: "illegal", why: "bad_notation" });
    return Boolean(command);
  }

  ready() {
    this.table.ready();
  }

  again() {
    this.table.around.again();
  }
}
