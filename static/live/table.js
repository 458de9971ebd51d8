// The table page: what comes over the link is shown, what the player does goes out. The rules stay on the server.
import { Around } from "./around.js";
import { Board } from "./board.js";
import * as choose from "./choose.js";
import { capLeft, minutes } from "./clock.js";
import { pageBoot, pageData, say, swapChildren } from "./dom.js";
import { Focus } from "./focus.js";
import { Hand } from "./hand.js";
import { heading } from "./headings.js";
import { fill, gettext } from "./i18n.js";
import { Link } from "./link.js";
import { ownerAt, isTrack, sideOf, stepsOf } from "./notation.js";
import { choices } from "./panels.js";
import { Plays } from "./plays.js";
import { Referee } from "./referee.js";
import { Seats } from "./seats.js";
import { capital, placeWords, refusalWords } from "./words.js";

const CATCH_UP = 3; // only the last events of a longer absence are animated
const HISTORY = 80; // events asked for, to fill the list of plays
const LOW = 20000; // ms: the time is called
const NOTE_MS = 6000;

const byId = (id) => document.getElementById(id);

export class Table {
  constructor(boot, geometry, doors) {
    this.boot = boot;
    this.doors = doors;
    this.company = { seats: boot.seats, teams: boot.teams, rules: boot.rules, names: boot.names, me: boot.seat ?? undefined };
    this.view = boot.snap.view;
    this.epoch = boot.snap.epoch;
    this.choice = choose.nothing();
    this.marked = -1;
    this.pile = [];
    this.queue = Promise.resolve();
    this.waiting = 0; // events not yet shown
    this.sent = 0; // commands not yet answered
    this.asked = 0; // those among them whose answer this page still has to take in
    this.until = 0; // the view must have come to this seq before the player chooses again
    this.title = document.title;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");

    this.board = new Board(byId("board").querySelector("svg"), geometry, {
      still: () => this.calm.matches || document.visibilityState === "hidden",
    });
    this.board.dropped = () => this.render();
    this.hand = new Hand(byId("hand"), {
      mark: (card, index) => this.mark(card, index),
      lay: (card, index) => this.lay(card, index),
      over: (event) => this.board.over(event),
    });
    this.seats = new Seats(byId("seats"), boot);
    this.plays = new Plays(byId("plays"), this.company, { keep: HISTORY });
    this.around = new Around(boot, doors, { resign: () => this.ask("resign", {}), typed: (text) => this.typed(text) });
    this.referee = new Referee(boot, { call: (args) => this.ask("dispute", args) });
    this.link = new Link(boot, {
      held: (held, steps, whole) => this.receive(held, steps, whole),
      who: (frame) => this.present(frame),
      note: (code) => this.around.strip(code, code === "deploy" || code === "other_tab" ? NOTE_MS : 0),
      state: (code) => this.around.strip(code),
      pending: (count) => {
        this.sent = count;
        this.render();
      },
    }, doors);
    this.focus = new Focus(this);
  }

  start() {
    this.link.start(this.boot.snap);
    this.history();
    this.ticking = setInterval(() => this.tick(), 250);
    if (this.seated) this.around.stayAwake();
  }

  get seated() {
    return this.company.me !== undefined;
  }

  // ---- what comes in

  receive(held, steps, whole) {
    if (whole) {
      const other = this.view.game !== held.view.game;
      const rewound = !other && this.epoch !== held.epoch;
      this.epoch = held.epoch;
      if (other || rewound) {
        this.plays.clear();
        this.pile = [];
      }
      this.queue = this.queue.then(() => this.settleOn(held.view));
      if (rewound) say(byId("said"), gettext("The referee has taken play back: the board stands as it stood then."));
      if (other || rewound) this.history();
      return;
    }
    this.waiting += steps.length;
    steps.forEach((step, i) => {
      const late = steps.length - i > CATCH_UP;
      this.queue = this.queue.then(() => this.play(step, late)).catch((error) => console.error(error)).then(() => {
        this.waiting -= 1;
        this.view = step.after;
        this.render();
      });
    });
  }

  /** Show a view as it is, without motion. */
  settleOn(view) {
    if (this.pile[this.pile.length - 1] !== view.pile && view.pile) this.pile = [...this.pile, view.pile].slice(-2);
    if (!view.pile) this.pile = [];
    this.view = view;
    this.render();
  }

  /** One event: said, listed, animated. */
  async play(step, late) {
    const words = this.plays.add(step);
    this.plays.tellEmpty(byId("no-plays"));
    if (words && !late) say(byId("said"), words.text);
    if (step.k === "play") {
      const pile = step.after.pile;
      if (pile && step.set && "pile" in step.set) this.pile = [...this.pile, pile].slice(-2);
      else if (!pile) this.pile = [];
      this.board.offer({});
      this.board.centre(this.pile);
      if (!late && step.fx) {
        this.board.show(step.before);
        this.board.last(step.before, step.fx);
        await this.board.animate(step);
      }
      if (step.fx?.some(([kind]) => ["move", "jump", "swap", "out"].includes(kind))) this.board.last(step.before, step.fx);
    }
  }

  present(frame) {
    this.seats.present(frame.seats);
    byId("eyes").hidden = !frame.spectators;
    say(byId("eyes-n"), String(frame.spectators));
    this.render();
  }

  /** The plays before this page was opened, for the list. */
  async history() {
    const { link, boot } = this;
    const since = Math.max(0, link.held.seq - HISTORY);
    if (!link.held.seq || !boot.events) return;
    try {
      const reply = await this.doors.fetch(`${boot.events}?epoch=${link.held.epoch}&since=${since}&wait=0`, { credentials: "same-origin" });
      const frame = await reply.json();
      for (const event of frame.list ?? []) if (event.seq <= link.held.seq) this.plays.add(event);
      this.plays.tellEmpty(byId("no-plays"));
    } catch {
      // The list then begins with the next play.
    }
  }

  // ---- what the player does

  get busy() {
    return this.sent > 0 || this.asked > 0 || this.link.held?.seq < this.until;
  }

  get mayChoose() {
    return this.seated && !this.busy && this.waiting === 0 && !this.stopped;
  }

  /** The clocks stand still: no play counts. */
  get stopped() {
    return Boolean(this.view.frozen);
  }

  async ask(kind, args) {
    this.around.refused("");
    this.asked += 1;
    const answer = await this.link.send(kind, args);
    this.asked -= 1;
    if (answer.t === "nak") {
      this.choice = choose.nothing(this.view.decision);
      this.marked = -1;
      this.around.refused(refusalWords(answer));
    } else this.until = answer.seq ?? 0;
    this.render();
    return answer;
  }

  mark(card, index) {
    if (!this.mayChoose || !this.view.legal) return;
    if (this.choice.laid) {
      if (this.boot.touch) {
        this.around.refused(refusalWords({ code: "illegal", why: "touched_card" }));
        return;
      }
    }
    this.around.refused("");
    this.choice = { ...choose.nothing(this.view.decision), card };
    this.marked = index;
    this.render();
  }

  lay(card, index = this.marked) {
    if (!this.mayChoose || !this.view.legal) return;
    if (!choose.openCards(this.view).has(card)) {
      this.around.refused(refusalWords({ code: "illegal", why: this.choice.laid ? "touched_card" : "not_playable" }));
      this.render();
      return;
    }
    if (this.choice.laid && this.choice.card === card) return;
    this.choice = { ...choose.nothing(this.view.decision), card };
    this.marked = index;
    const handed = choose.handed(this.view, this.choice);
    if (handed) this.ask(handed.startsWith("give") ? "exchange" : "burn", { card });
    else if (this.boot.touch) this.ask("touch", { card });
    else {
      this.choice.laid = true;
      this.render();
    }
  }

  pick(place) {
    if (!this.mayChoose || this.choice.marble === place) return;
    const bound = (this.view.touched?.marble ?? "").split(" ");
    this.choice = { ...this.choice, marble: place };
    this.around.refused("");
    if (this.boot.touch && !bound.includes(place)) {
      this.unsettled = true; // its targets are shown at once; the server narrows them a moment later
      this.ask("touch", { marble: place });
    }
    this.render();
  }

  take(target) {
    if (!this.seated) return;
    const next = choose.take(this.choice, target);
    if (!next.play) {
      this.choice = next;
      this.render();
    } else this.release(next);
  }

  release(choice) {
    this.choice = choice;
    if (this.boot.touch) this.ask("play", { play: choice.play });
    else this.render();
  }

  confirm() {
    if (this.choice.play) this.ask("play", { play: this.choice.play });
  }

  /** Esc: forget what is only marked; what is touched stays. */
  cancel() {
    const { choice, boot } = this;
    let next = null;
    if (this.busy) return false;
    if (choice.play) next = { ...choice, play: "" };
    else if (choice.legs.length) next = { ...choice, legs: choice.legs.slice(0, -1), marble: "" };
    else if (choice.marble && !boot.touch) next = { ...choice, marble: "" };
    else if (choice.card && (!choice.laid || !boot.touch)) next = choose.nothing(this.view.decision);
    if (!next) return false;
    this.choice = next;
    if (!next.card) this.marked = -1;
    this.around.refused("");
    this.render();
    return true;
  }

  typed(text) {
    if (!this.mayChoose) return;
    const [word, card] = text.trim().split(/\s+/);
    if (/^touch$/i.test(word ?? "") && card) {
      this.ask("touch", /^(t\d+|h\d|r|x\d+)$/i.test(card) ? { marble: card.toLowerCase() } : { card: card.toUpperCase() });
      return;
    }
    const play = choose.typed(this.view, text);
    if (!play) this.around.refused(refusalWords({ code: "illegal", why: "not_listed" }));
    else if (play.startsWith("give ")) this.ask("exchange", { card: play.slice(5) });
    else if (play.startsWith("burn ")) this.ask("burn", { card: play.slice(5) });
    else this.ask("play", { play });
    if (play) byId("cmd").value = "";
  }

  ready() {
    this.ask("ready", {});
  }

  again() {
    this.around.again();
  }

  skip(play) {
    if (this.boot.touch) this.ask("play", { play });
    else {
      this.choice = { ...this.choice, play };
      this.render();
    }
  }

  throwIn() {
    this.ask("play", { play: "throw" });
  }

  // ---- what is shown

  render() {
    const { view, boot, company } = this;
    this.choice = choose.settle(this.choice, view);
    if (!this.choice.card) this.marked = -1;
    const { choice } = this;
    if (!this.busy && !this.waiting) this.unsettled = false;
    const stage = this.seated && view.legal ? choose.stage(view, choice) : "wait";
    // Of what is still being answered only the targets may be pressed: the second marble of a seven is another touch.
    const may = this.mayChoose || (this.unsettled && stage === "target" && !this.stopped);
    const deciding = this.deciding();
    const state = { boot, company, view, stage, choice, busy: this.busy && this.seated && !this.unsettled, stopped: this.stopped, marbles: [], targets: [], skip: "" };
    if (may && (stage === "marble" || stage === "target")) {
      state.marbles = choose.marblesFor(view, company.me, stage === "marble" ? choice : { ...choice, marble: "" });
      if (stage === "target") state.targets = choose.targetsFor(view, company.me, choice);
      else state.skip = choose.skipOf(view, choice);
    }
    this.show(state, may);
    const title = heading(boot, view, stage, choice);
    say(byId("heading"), title);
    this.callTurn(title, deciding);
    this.seats.show(view, deciding);
    this.referee.show(view, this.link.held?.you ?? boot.snap.you);
    this.tick();
    this.showHand(state, may);
    this.showChoices(state, may);
    byId("table").classList.toggle("over", view.phase === "over");
    this.around.show(view, this.seated);
  }

  show(state, may) {
    const { board, company, choice, view } = { ...this, ...state };
    const laid = view.touched?.card ?? (choice.laid ? choice.card : "");
    const legs = choice.legs.map((leg) => ({ ...leg, owner: (isTrack(leg.from) ? ownerAt(view.marbles, leg.from) : undefined) ?? sideOf(view, company.me ?? view.turn) }));
    board.show(legs.length ? { ...view, marbles: choose.laidOut(view, company.me, choice) } : view);
    board.centre(this.pile, laid);
    board.offer({
      legs,
      back: choice.card ? stepsOf(choice.card) < 0 : false,
      touched: this.touchedMarble(state),
      marbles: may ? state.marbles.map((item) => ({
        ...item,
        label: fill(gettext("Marble on %(place)s"), { place: placeWords(company, item.place, item.owner) }),
        pick: () => this.pick(item.place),
      })) : [],
      targets: may ? state.targets.map((item) => ({ ...item, label: capital(placeWords(company, item.place, item.other ?? item.owner)), take: () => this.take(item) })) : [],
    });
  }

  touchedMarble({ view, choice }) {
    const place = choice.marble || (view.turn === this.company.me ? "" : (view.touched?.marble ?? "").split(" ").pop());
    if (!place) return undefined;
    return { place, owner: (isTrack(place) ? ownerAt(view.marbles, place) : undefined) ?? sideOf(view, view.turn) };
  }

  showHand(state, may) {
    const { view } = state;
    byId("hand").hidden = !view.hand;
    if (!view.hand) return;
    this.hand.show({
      cards: view.hand,
      open: choose.openCards(view),
      marked: this.marked,
      laid: state.choice.laid ? state.choice.card : "",
      active: Boolean(view.legal) && may,
      verb: choose.asked(view),
    });
  }

  /** The buttons stay the same nodes while they say the same: nothing changes under a finger. */
  showChoices(state, may) {
    const { view, stage, choice, busy, stopped } = state;
    const { decision, phase, legal, ready, laid, touched } = view;
    const key = JSON.stringify([decision, phase, legal, ready, laid, touched, stage, choice, busy, stopped, may]);
    if (key === this.choicesKey) return;
    this.choicesKey = key;
    this.focus.keep(() => swapChildren(byId("choices"), choices(state, this)));
    const count = byId("choices").querySelectorAll(".choice").length;
    byId("choices").classList.toggle("rows", count > 2);
    byId("choices").classList.toggle("many", count > 4);
  }

  deciding() {
    const { view, boot } = this;
    if (view.phase === "over" || view.phase === "deck") return new Set();
    const all = Array.from({ length: boot.seats }, (_, seat) => seat);
    if (view.phase === "seating") return new Set(all.filter((seat) => !view.ready?.[seat]));
    if (view.phase === "give") return new Set(all.filter((seat) => !view.given?.[seat]));
    return new Set([view.turn]);
  }

  callTurn(title, deciding) {
    const mine = this.seated && !this.stopped && deciding.has(this.company.me);
    document.title = mine ? `● ${title}` : this.title;
    const key = `${this.view.decision}:${mine}`;
    if (mine && this.calledFor !== key && this.view.phase !== "seating") {
      say(byId("called"), title);
      this.lowCalled = false;
    } else if (!mine && !this.stopped) say(byId("called"), "");
    this.calledFor = key;
  }

  tick() {
    const { clocks } = this.link.held ?? { clocks: {} };
    const { now } = this.link;
    this.seats.tick(clocks, now, this.view.phase);
    this.referee.tick(now, clocks);
    const cap = capLeft(clocks, now);
    byId("cap").hidden = !cap;
    byId("cap-bar").toggleAttribute("hidden", !cap);
    if (!cap) return;
    say(byId("cap"), minutes(cap.left));
    byId("cap").classList.toggle("low", cap.left < LOW);
    byId("cap-fill").setAttribute("width", `${(cap.share * 100).toFixed(1)}%`);
    if (cap.left < LOW && !this.lowCalled && this.seated && this.deciding().has(this.company.me) && this.view.phase !== "forced" && this.view.phase !== "give") {
      this.lowCalled = true;
      say(byId("called"), gettext("Less than 20 seconds left"));
    }
  }
}

/** The doors of a real page. */
export const doors = () => ({
  WebSocket: globalThis.WebSocket,
  fetch: (...args) => fetch(...args),
  now: () => Date.now(),
  random: Math.random,
  storage: globalThis.sessionStorage,
  reload: () => location.reload(),
});

if (document.getElementById("boot") && document.getElementById("hand") && !pageData("boot").replay) {
  const table = new Table(pageBoot(), pageData("geometry"), doors());
  table.start();
  globalThis.tockTable = table; // for the browser's console and for tests
}
