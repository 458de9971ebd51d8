// Tractor's table page: the felt, the hand and what the player does there.
import { pace } from "../chosen.js";
import { all, byId, pageBoot, say } from "../dom.js";
import { doors } from "../doors.js";
import { listenKeys } from "../keys.js";
import { shortNames } from "../names.js";
import { Page } from "../page.js";
import { sheetOf } from "../sheet.js";
import { tellAside } from "./aside.js";
import { Felt, showLast, subWords } from "./felt.js";
import { Hand } from "./hand.js";
import { Panels } from "./panels.js";
import { Player } from "./player.js";
import { TractorSeats } from "./seats.js";
import { Story } from "./telling.js";
import { heading } from "./words.js";
/** @import { Boot, Doors, Held } from "../types.js" */
/** @import { TractorEvent, TractorSheet, TractorStep, TractorView } from "./types.js" */

const HISTORY = 200; // events asked for: a whole round, for its tricks
const HOLD = 800; // ms that a finished trick stays before what comes next is shown

/** @extends {Page<TractorView, TractorEvent>} */
export class TractorTable extends Page {
  player = new Player(this);

  /** @param {Boot} boot @param {Doors} outside */
  constructor(boot, outside) {
    super({ example: "AS AS", ...boot }, outside, {
      tell: (event) => this.story.tell(event),
      keep: HISTORY,
      without: ["touch"],
    });
    /** @type {TractorSheet} */
    this.sheet = sheetOf(this.company);
    this.story = new Story(this.company, this.sheet);
    this.caller.shortPhases = ["show"];
    this.seq = Infinity; // of what came last
    this.hold = 1; // tests set it to 0
    this.free = 0; // when what comes next may be shown
    this.hand = new Hand(byId("hand"), this.player);
    this.felt = new Felt(boot, this.sheet);
    this.panels = new Panels(byId("choices"), this.player);
    this.seats = new TractorSeats(byId("seats"), boot);
    byId("last-trick").addEventListener("click", () => this.showLast());
    // Shows that do not count are passed over.
    const buttonsNow = () => all(byId("choices"), "[data-key]:not([hidden], .show[aria-disabled]:not(:focus))");
    listenKeys(byId("table"), {
      groups: () => {
        const buttons = buttonsNow();
        const cards = this.hand.groups().reverse();
        return this.growing ? [...cards, buttons] : [buttons, ...cards];
      },
      home: () => this.hand.groups()[0] ?? buttonsNow(),
      cancel: () => this.cancel(),
      point: () => {},
    });
  }

  cleared() {
    this.story.clear();
  }

  /** @param {TractorView} view */
  settled(view) {
    this.story.from(view);
  }

  /**
   * A finished trick stays a moment before the next event takes it away.
   * @param {TractorStep} step @param {boolean} late
   */
  async animate(step, late) {
    const wait = this.free - performance.now();
    if (!late && wait > 0 && document.visibilityState !== "hidden") await new Promise((go) => setTimeout(go, wait));
    const ended = step.fx?.some(([kind]) => kind === "trick");
    this.free = ended && !late ? performance.now() + (HOLD * this.hold) / pace() : 0;
  }

  /** While the hand grows the buttons stand above it, so that nothing moves under a finger. */
  get growing() {
    return this.view.phase === "draw" || this.view.phase === "show";
  }

  arrange() {
    const [hand, choices] = [byId("hand"), byId("choices")];
    if (this.growing === Boolean(choices.compareDocumentPosition(hand) & Node.DOCUMENT_POSITION_FOLLOWING)) return;
    const here = document.activeElement;
    if (this.growing) choices.after(hand);
    else (document.getElementById("refused") ?? choices).before(hand);
    if (here instanceof HTMLElement && hand.contains(here)) here.focus({ preventScroll: true });
  }

  /**
   * Earlier events: told one after the other, so that the tricks of the running round are counted.
   * @param {TractorEvent[]} events
   */
  recall(events) {
    const known = this.story;
    const earlier = new Story(this.company, this.sheet);
    const dealt = events.findLastIndex((event) => event.k === "play" && event.d?.play?.startsWith("deck"));
    if (dealt < 0) earlier.trump = this.view.trump; // the whole list is of the running round
    this.story = earlier;
    super.recall(events);
    this.story = known;
    known.heard = { ...earlier.heard, ...known.heard };
    this.render();
  }

  /**
   * Events that never came take the count of tricks with them.
   * @param {Held<TractorView>} held @param {TractorStep[]} steps @param {boolean} whole
   */
  receive(held, steps, whole) {
    if (whole && held.epoch === this.epoch && held.seq > this.seq) {
      this.enqueue(() => {
        this.story.heard = {};
      });
    }
    this.seq = held.seq;
    super.receive(held, steps, whole);
  }

  deciding() {
    const { view, boot } = this;
    const all = Array.from({ length: boot.seats }, (_, seat) => seat);
    if (view.phase === "seating") return new Set(all.filter((seat) => !view.ready?.[seat]));
    if (view.phase === "show") return new Set(all.filter((seat) => !view.passed?.includes(seat)));
    return new Set((view.phase === "bury" || view.phase === "play") && view.turn !== undefined ? [view.turn] : []);
  }

  render() {
    const { view, boot, company, player, sheet, stopped } = this;
    player.settle();
    const { mine, choice, mayChoose: may } = player;
    const deciding = this.deciding();
    const owed = mine && view.phase === "play" ? choice.owed : null;
    const title = heading(boot, view, owed);
    say(byId("heading"), title);
    if (view.phase !== "seating") say(byId("sub"), subWords(view));
    this.callTurn(title, deciding);
    this.seats.show(view, deciding);
    this.referee.show(view, this.link.held?.you ?? boot.snap.you);
    this.tick();
    this.felt.show(view, this.story.tricks);
    this.arrange();
    byId("hand").hidden = !view.hand;
    if (view.hand) {
      this.hand.show({
        cards: view.hand,
        order: choice.order,
        chosen: player.chosen,
        may: player.maySelect,
        drawing: view.phase === "draw",
        follow: owed?.held ? owed.suit : "",
        only: Boolean(owed && owed.count === owed.size),
        talon: view.talon,
      });
    }
    this.panels.show({
      boot,
      company,
      view,
      choice,
      mine,
      may,
      busy: player.busy,
      stopped,
      seated: this.seated,
      sheet,
    });
    byId("table").classList.toggle("over", view.phase === "over");
    tellAside(byId("aside"), company, view, sheet, owed);
    this.around.show(view, this.seated);
  }

  showLast() {
    showLast(this.view, shortNames(this.boot.names));
  }
}

if (document.getElementById("boot") && document.getElementById("hand")) {
  const table = new TractorTable(pageBoot(), doors());
  table.start();
  Object.assign(globalThis, { tockTable: table }); // for the browser's console and for tests
}
