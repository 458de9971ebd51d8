// What the page holds of its table and how it stays true: joins, events, heartbeats, and what to do when the line
// breaks.
import { applyEvents, hold } from "./reducer.js";
import { Commands, uuid } from "./commands.js";
import { decide, DELAY_NOTES, SHORT_CLOCK } from "./reconnect.js";
import { Line } from "./line.js";
import { serverNow } from "./clock.js";
/** @import { Ack, Action, Beat, Boot, Doors, Events, Frame } from "./types.js" */
/** @import { Held, Listener, Nak, Signal, Snap, State } from "./types.js" */

const TICK = 250;
const POLLED = 3; // events that one answer to a poll may bring while the page is not behind
const NO_WORD = ["lost", "restart"]; // states in which the server may be down

/**
 * What has a type is taken for the frame that the protocol describes.
 * @param {unknown} value @returns {value is Frame}
 */
const isFrame = (value) => typeof value === "object" && value !== null && "t" in value && typeof value.t === "string";

export class Link {
  /** @param {Listener} listener @param {Doors} doors @param {Boot} boot */
  constructor(boot, listener, doors) {
    this.boot = boot;
    this.listener = listener;
    this.doors = doors;
    this.tab = uuid().slice(0, 8);
    /** @type {Held | null} */
    this.held = null;
    this.cameAt = 0;
    this.beats = 0;
    this.said = "";
    this.aside = false; // another window of this seat plays; this one looks on
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
    this.behind = false; // what comes now happened before this window was there, or back
    this.wrong = false; // what is held is not what the server has
    this.pausedAt = 0; // the server's time when the line broke; 0 while it stands
    const now = doors.now();
    /** @type {State} */
    this.state = {
      socket: "closed",
      joined: false,
      since: now,
      heard: now,
      pinged: 0,
      retryAt: 0,
      tries: 0,
      bad: 0,
      online: true,
      shortClock: false,
      oldest: 0,
      delayed: 0,
      delayedAt: 0,
      probed: 0,
    };
    this.line = new Line(this);
    this.commands = new Commands(this);
  }

  /** Start from the snapshot the page was sent with. @param {Snap} snap */
  start(snap) {
    this.take(snap);
    this.commands.restore();
    this.line.connect();
    this.timer = setInterval(() => this.signal({ kind: "tick" }), TICK);
    const seen = () => this.signal({ kind: "visible" });
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && seen());
    addEventListener("pageshow", seen);
    for (const kind of /** @type {const} */ (["online", "offline"])) {
      addEventListener(kind, () => {
        this.state.online = kind === "online";
        this.signal({ kind });
      });
    }
  }

  /** The server's time. It stands still while the server may be down, for then no clock runs there either. */
  get now() {
    if (this.pausedAt) return this.pausedAt;
    return this.held ? serverNow(this.held.now, this.cameAt, this.doors.now()) : this.doors.now();
  }

  /** What the page holds, once it has started from its snapshot. */
  get shown() {
    return /** @type {Held} */ (this.held);
  }

  /** No word comes from the server: what the clocks show is what they showed last. */
  get paused() {
    return this.pausedAt > 0;
  }

  // ---- deciding and doing

  /** @param {Omit<Signal, "now" | "random">} signal */
  signal(signal) {
    const { clocks } = this.held ?? {};
    this.state.shortClock = Boolean(clocks?.due && clocks.due - this.now < SHORT_CLOCK);
    this.state.oldest = this.commands.oldest;
    const action = decide(this.state, { ...signal, now: this.doors.now(), random: this.doors.random() });
    if (action.say) this.tell(action.say);
    this.act(action);
    const silent = NO_WORD.includes(this.said) && !this.line.polling;
    if (!silent) this.pausedAt = 0;
    else if (!this.pausedAt) this.pausedAt = this.now;
  }

  /** @param {Action} state */
  act({ do: what, in: pause }) {
    const { commands, line } = this;
    if (what === "ping") this.ping();
    else if (what === "rejoin") this.join();
    else if (what === "probe") line.probe();
    else if (what === "resend") commands.again();
    else if (what === "post") commands.again(commands.post);
    else if (what === "reload") {
      this.halt();
      this.doors.reload();
    } else if (what === "reconnect") {
      line.drop();
      if (pause) this.state.retryAt = this.doors.now() + pause;
      else line.connect();
    }
  }

  /** @param {string} code */
  tell(code) {
    if (code === this.said) return;
    this.said = code;
    this.listener.state(code);
  }

  halt() {
    clearInterval(this.timer);
    this.line.drop();
    this.state.retryAt = 0;
  }

  // ---- the seat

  join() {
    const { held } = this;
    this.state.pinged = this.doors.now();
    this.line.write({
      t: "join",
      table: this.boot.table,
      as: this.boot.role,
      epoch: held?.epoch ?? 0,
      since: held?.seq ?? 0,
      hash: this.wrong ? "" : (held?.hash ?? ""),
      tab: this.tab,
      ...(this.aside ? { aside: true } : {}),
    });
  }

  /** Play in this window from now on; the other one looks on. */
  takeOver() {
    this.aside = false;
    if (this.line.open) this.join();
  }

  /** Another window plays the seat. */
  lookOn() {
    this.aside = true;
    this.listener.note("other_tab");
  }

  /** This host cannot reach its database now. */
  delayed() {
    const { state } = this;
    const now = this.doors.now();
    if (now - state.delayedAt >= DELAY_NOTES) state.delayed = now;
    state.delayedAt = now;
  }

  /** The answer to one of this window's commands; it says also which window plays. @param {Ack | Nak} frame */
  answered(frame) {
    if (frame.t === "nak" && frame.code === "other_tab") this.lookOn();
    else if (frame.t === "ack" && this.aside) {
      // the other window has gone
      this.aside = false;
      this.listener.note("plays_here");
    }
  }

  ping() {
    this.beats += 1;
    this.state.pinged = this.doors.now();
    this.line.write({ t: "hb", n: this.beats, have: this.held?.seq ?? 0, hash: this.held?.hash ?? "" });
  }

  // ---- what comes in

  /** @param {unknown} frame */
  receive(frame) {
    this.state.heard = this.doors.now();
    if (!isFrame(frame)) return;
    switch (frame.t) {
      case "snap":
        this.welcome();
        this.take(frame);
        break;
      case "ev":
        this.behind = this.line.open ? !this.state.joined : frame.list.length > POLLED;
        this.welcome();
        this.follow(frame);
        break;
      case "ack":
      case "nak":
        this.commands.answer(frame);
        break;
      case "hb":
        this.welcome();
        this.beat(frame);
        break;
      case "who":
        this.listener.who(frame);
        break;
      case "note":
        if (frame.code === "other_tab") this.lookOn();
        else {
          if (frame.code === "delay") this.delayed();
          this.listener.note(frame.code, frame.at);
        }
        break;
      default: // a later server may say more
    }
  }

  /** The first answer to a join: the connection is whole again, commands still waiting go out once more. */
  welcome() {
    if (!this.line.open || this.state.joined) return;
    Object.assign(this.state, { joined: true, tries: 0 });
    this.tell("");
    if (this.aside) this.lookOn();
    this.pausedAt = 0;
    this.commands.again();
  }

  /** @param {Snap} snap */
  take(snap) {
    this.held = hold(snap);
    this.wrong = false;
    this.cameAt = this.doors.now();
    this.listener.held(this.held, [], true);
    this.commands.thaw();
  }

  /** @param {Events} frame */
  follow(frame) {
    const { held, steps, trouble } = applyEvents(this.shown, frame);
    if (trouble === "gap") {
      this.signal({ kind: "gap" });
      return;
    }
    this.held = held;
    this.cameAt = this.doors.now();
    this.wrong = trouble === "hash";
    this.listener.held(held, steps, false);
    this.commands.thaw();
    if (this.wrong) this.signal({ kind: "hash" });
  }

  /** @param {Beat} frame */
  beat(frame) {
    if (!this.held) return;
    Object.assign(this.held, { clocks: frame.clocks ?? this.held.clocks, now: frame.now ?? this.held.now });
    this.cameAt = this.doors.now();
    if (frame.seq === this.held.seq && frame.hash && frame.hash !== this.held.hash) {
      this.wrong = true;
      this.signal({ kind: "hash" });
    } else if (frame.seq > this.held.seq) this.signal({ kind: "gap" });
  }
}
