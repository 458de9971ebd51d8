// What the player does at the table page: marks a card, lays it, takes up marbles, releases. Where touches bind
// they are sent; elsewhere nothing is sent before the release. The rules stay on the server.
import * as choose from "./choose.js";
import { chosen } from "./chosen.js";
import { touchedPlaces } from "./notation.js";
import { refusalWords } from "./refusals.js";
import { cardsFor, onlyPlay } from "./ways.js";
/** @import { Choice, Target } from "./tock_types.js" */
/** @import { Arguments } from "./types.js" */

const PLACE = /^(t\d+|h\d|r|x\d+)$/i;

export class Player {
  /** @param {import("./table.js").Table} table {boot, view, link, around, seated, waiting, render} */
  constructor(table) {
    this.table = table;
    this.choice = choose.nothing();
    this.marked = -1; // which card of the hand
    this.sent = 0; // commands not yet answered
    this.asked = 0; // those among them whose answer this page still has to take in
    this.until = 0; // the view must have come to this seq before the player chooses again
    this.unsettled = false; // targets are shown that the server has still to narrow
  }

  get view() {
    return this.table.view;
  }

  /** What is laid and taken up binds here. */
  get touch() {
    return this.table.boot.touch;
  }

  get seat() {
    return this.table.company.me ?? -1;
  }

  /** Is the player asked before a move is released? */
  get asks() {
    return chosen("confirm") === "on";
  }

  get busy() {
    return this.sent > 0 || this.asked > 0 || (this.table.link.held?.seq ?? Infinity) < this.until;
  }

  get mayChoose() {
    const { table } = this;
    return table.seated && !this.busy && table.waiting === 0 && !table.stopped;
  }

  /** @param {string} why */
  refuse(why) {
    this.table.around.refused(refusalWords({ code: "illegal", why }));
  }

  /** @param {string} kind @param {Arguments} args */
  async ask(kind, args) {
    const { table } = this;
    table.around.refused("");
    this.asked += 1;
    const answer = await table.link.commands.send(kind, args);
    this.asked -= 1;
    if (answer.t === "nak") {
      this.forget();
      table.around.refused(refusalWords(answer));
    } else this.until = answer.seq ?? 0;
    table.render();
    return answer;
  }

  forget() {
    this.choice = choose.nothing(this.view.decision);
    this.marked = -1;
  }

  /** The choice after the view has changed. */
  settle() {
    this.choice = choose.settle(this.choice, this.view);
    if (!this.choice.card) this.marked = -1;
    if (!this.busy && !this.table.waiting) this.unsettled = false;
    return this.choice;
  }

  /** @param {Choice} choice */
  set(choice) {
    this.choice = choice;
    this.table.render();
  }

  /** @param {string} card @param {number} index */
  mark(card, index) {
    if (!this.mayChoose || !this.view.legal) return;
    if (this.choice.laid && this.touch) {
      this.refuse("touched_card");
      return;
    }
    this.table.around.refused("");
    this.marked = index;
    const kept = !this.choice.laid && cardsFor(this.view, this.seat, this.choice).has(card) ? this.choice.marble : "";
    this.set({ ...choose.nothing(this.view.decision), card, marble: kept });
  }

  /** The marked card once more: its only play is played, else it is laid. @param {string} card */
  press(card) {
    if (!this.mayChoose) return;
    const play = onlyPlay(this.view, this.seat, this.choice);
    if (play && this.asks) this.set({ ...this.choice, laid: true, play });
    else if (play) this.release(play);
    else this.lay(card);
  }

  /** @param {string} card @param {number} [index] */
  lay(card, index = this.marked) {
    const { view } = this;
    if (!this.mayChoose || !view.legal || choose.asked(view) === "throw") return;
    if (!choose.openCards(view).has(card)) {
      this.refuse(this.choice.laid ? "touched_card" : "not_playable");
      this.table.render();
      return;
    }
    if (this.choice.laid && this.choice.card === card) return;
    const kept = this.choice.card === card ? this.choice.marble : "";
    this.choice = { ...choose.nothing(view.decision), card };
    this.marked = index;
    const handed = choose.handed(view, this.choice);
    if (handed) this.ask(handed.startsWith("give") ? "exchange" : "burn", { card });
    else if (this.touch) this.ask("touch", { card });
    else this.set({ ...this.choice, laid: true, marble: kept });
  }

  /**
   * Take up a marble. Before any card it only narrows the cards; pressed again it is put down, where it does not bind.
   * @param {string} place
   */
  pick(place) {
    if (!this.mayChoose) return;
    const { choice } = this;
    const binds = this.touch && Boolean(choice.card);
    this.table.around.refused("");
    if (choice.marble === place && !(binds && choice.laid)) {
      this.set({ ...choice, marble: "" });
      return;
    }
    if (choice.marble === place) return;
    if (binds) this.touchMarble(place);
    this.set({ ...choice, marble: place, laid: choice.laid || binds });
  }

  /** Touch the marked card, if it is not laid yet, and a marble. @param {string} place */
  async touchMarble(place) {
    this.unsettled = true; // its targets are shown at once; the server narrows them a moment later
    if (!this.choice.laid) {
      const { card } = this.choice;
      const laid = this.ask("touch", { card });
      // Only a socket keeps two commands in their order.
      if (!this.table.link.line.open) {
        await laid;
        if (this.choice.card !== card || this.choice.marble !== place || !this.mayChoose) return;
      }
    }
    if (!touchedPlaces(this.view).includes(place)) this.ask("touch", { marble: place });
  }

  /** @param {Target} target */
  take(target) {
    if (!this.table.seated) return;
    const { choice } = this;
    const next = { ...choose.take(choice, target), laid: true };
    if (next.play && !next.legs.length) {
      this.release(next.play);
      return;
    }
    // A leg laid out is a marble touched; a shared card is released as a whole, when all its legs are laid out.
    if (this.touch && !(choice.laid && choice.marble === target.from)) this.touchMarble(target.from);
    this.set(next);
  }

  /** A marble released ends the turn, after a question where the player wants one. @param {string} play */
  release(play) {
    if (this.asks) {
      this.set({ ...this.choice, play });
      return;
    }
    this.unsettled = false;
    this.ask("play", { play });
    this.table.render();
  }

  confirm() {
    if (this.choice.play) this.ask("play", { play: this.choice.play });
  }

  /** Esc: forget what is only marked; what is touched stays. */
  cancel() {
    const next = this.busy ? null : choose.back(this.choice, this.touch);
    if (!next) return false;
    if (!next.card) this.marked = -1;
    this.table.around.refused("");
    this.set(next);
    return true;
  }

  /** @param {string} text */
  typed(text) {
    if (!this.mayChoose) return false;
    const [word, what] = text.trim().split(/\s+/);
    if (/^touch$/i.test(word ?? "") && what) {
      this.ask("touch", PLACE.test(what) ? { marble: what.toLowerCase() } : { card: what.toUpperCase() });
      return false;
    }
    const play = choose.typed(this.view, text);
    if (!play) this.refuse("not_listed");
    else if (play.startsWith("give ")) this.ask("exchange", { card: play.slice(5) });
    else if (play.startsWith("burn ")) this.ask("burn", { card: play.slice(5) });
    else this.ask("play", { play });
    return Boolean(play);
  }

  ready() {
    this.table.ready();
  }

  again() {
    this.table.around.again();
  }

  /** @param {string} play */
  skip(play) {
    if (this.asks) this.set({ ...this.choice, play });
    else this.release(play);
  }

  throwIn() {
    this.ask("play", { play: "throw" });
  }
}
