// Tock's table page: the board, the hand and what the player does there.
import { Board } from "./board.js";
import { isStill } from "./chosen.js";
import { byId, pageBoot, pageData, the } from "./dom.js";
import { doors } from "./doors.js";
import { Focus } from "./focus.js";
import { Hand } from "./hand.js";
import { goesBack } from "./notation.js";
import { Page } from "./page.js";
import { grow } from "./pile.js";
import { Player } from "./player.js";
import { Screen } from "./screen.js";
import { eventWords } from "./telling.js";
import { TockSeats } from "./tock_seats.js";
/** @import { Geometry, Pile, TockEvent, TockStep, TockView } from "./tock_types.js" */
/** @import { Boot, Doors } from "./types.js" */

const HISTORY = 80; // events asked for, to fill the list of plays

/** @extends {Page<TockView, TockEvent>} */
export class Table extends Page {
  player = new Player(this);

  /** @param {Boot} boot @param {Geometry} geometry @param {Doors} outside */
  constructor(boot, geometry, outside) {
    super(boot, outside, { tell: (event) => eventWords(this.company, event), keep: HISTORY });
    /** @type {Pile} */
    this.pile = [];
    this.caller.shortPhases = ["forced", "give"];
    this.screen = new Screen(this, this.player);
    this.board = new Board(the(byId("board"), "svg"), geometry, {
      still: () => isStill() || document.visibilityState === "hidden",
    });
    this.board.dropped = () => this.render();
    this.hand = new Hand(byId("hand"), this.company, {
      mark: (card, index) => this.player.mark(card, index),
      press: (card) => this.player.press(card),
      lay: (card, index) => this.player.lay(card, index),
      over: (event) => this.board.presses.over(event),
    });
    this.seats = new TockSeats(byId("seats"), boot);
    this.focus = new Focus(this);
  }

  render() {
    this.screen.render();
  }

  cleared() {
    this.pile = [];
  }

  /** @param {TockView} view */
  settled(view) {
    this.pile = grow(this.pile, view);
  }

  /** @param {TockStep} step @param {boolean} late */
  async animate(step, late) {
    if (step.k !== "play") return;
    this.pile = grow(this.pile, step.after, step);
    const back = goesBack(step.before, (step.d?.play ?? "").split(" ")[0]);
    this.board.offer({});
    this.board.centre(this.pile);
    if (!late && step.fx) {
      this.board.show(step.before);
      this.board.last(step.before, step.fx, back);
      await this.board.motion.run(step);
    }
    if (step.fx?.some(([kind]) => ["move", "jump", "swap", "out"].includes(kind)))
      this.board.last(step.before, step.fx, back);
  }

  /** The seats that have to decide now. */
  deciding() {
    const { view, boot } = this;
    if (view.phase === "over" || view.phase === "deck") return new Set();
    const all = Array.from({ length: boot.seats }, (_, seat) => seat);
    if (view.phase === "seating") return new Set(all.filter((seat) => !view.ready?.[seat]));
    if (view.phase === "give") return new Set(all.filter((seat) => !view.given?.[seat]));
    return new Set(view.turn === undefined ? [] : [view.turn]);
  }
}

if (document.getElementById("boot") && document.getElementById("hand") && !pageBoot().replay) {
  const table = new Table(pageBoot(), /** @type {Geometry} */ (pageData("geometry")), doors());
  table.start();
  Object.assign(globalThis, { tockTable: table }); // for the browser's console and for tests
}
