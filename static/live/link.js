// The page's line to its table: the socket, its heartbeat, the commands until they are answered, the same over HTTP.
import { applyEvents, hold } from "./reducer.js";
import { decide, SHORT_CLOCK } from "./reconnect.js";
import { serverNow } from "./clock.js";

const PROTOCOL = "tock.table.v1";
const TICK = 250;
const POLL_MS = 1000; // between two answers over HTTP, at least
const POLL_AFTER = 2; // tries without a socket before events come by HTTP
const NO_WORD = ["lost", "restart"]; // states in which the server may be down

/**
 * @typedef {object} Doors   what the outside world is reached through; tests give their own
 * @property {typeof WebSocket} WebSocket
 * @property {typeof fetch} fetch
 * @property {() => number} now
 * @property {() => number} random
 * @property {Storage} [storage]
 * @property {() => void} reload
 */

export class Link {
  /**
   *          state: (state) => void, pending: (count) => void}} listener
   */
  constructor(boot, listener, doors) {
    this.boot = boot;
    this.listener = listener;
    this.doors = doors;
    this.tab = hex(4, doors.random);
    this.held = null;
    this.cameAt = 0;
    this.beats = 0;
    this.commands = new Map(); // id -> {frame, sent, answer, kept}
    this.store = `tock.commands.${boot.table}`;
    this.said = "";
    this.aside = false; // another window of this seat plays; this one looks on
    this.pausedAt = 0; // the server's time when the line broke; 0 while it stands
    const now = doors.now();
    this.state = {
      socket: "closed", joined: false, since: now, heard: now, pinged: 0, retryAt: 0, tries: 0, bad: 0,
      visible: true, online: true, shortClock: false, oldest: 0,
    };
  }

  /** Start from the snapshot the page was sent with. */
  start(snap) {
    this.take(snap);
    this.restore();
    this.connect();
    this.timer = setInterval(() => this.signal({ kind: "tick" }), TICK);
    const seen = () => this.signal({ kind: "visible" });
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && seen());
    addEventListener("pageshow", seen);
    addEventListener("online", () => {
      this.state.online = true;
      this.signal({ kind: "online" });
    });
    addEventListener("offline", () => {
      this.state.online = false;
      this.signal({ kind: "offline" });
    });
  }

  /** The server's time. It stands still while the server may be down, for then no clock runs there either. */
  get now() {
    if (this.pausedAt) return this.pausedAt;
    return this.held ? serverNow(this.held.now, this.cameAt, this.doors.now()) : this.doors.now();
  }

  /** No word comes from the server: what the clocks show is what they showed last. */
  get paused() {
    return this.pausedAt > 0;
  }

  // ---- deciding and doing

  signal(signal) {
    const { clocks } = this.held ?? {};
    this.state.shortClock = Boolean(clocks?.due && clocks.due - this.now < SHORT_CLOCK);
    const sent = [...this.commands.values()].map((command) => command.sent);
    this.state.oldest = sent.length ? Math.min(...sent) : 0;
    const action = decide(this.state, { ...signal, now: this.doors.now(), random: this.doors.random() });
    if (action.say) this.tell(action.say);
    this.act(action);
    const silent = NO_WORD.includes(this.said) && !this.polling;
    if (!silent) this.pausedAt = 0;
    else if (!this.pausedAt) this.pausedAt = this.now;
  }

  act(action) {
    const now = this.doors.now();
    switch (action.do) {
      case "ping":
        this.ping();
        break;
      case "rejoin":
        this.join();
        break;
      case "reconnect":
        this.drop();
        this.state.retryAt = now + (action.in ?? 0);
        if (!action.in) this.connect();
        break;
      case "resend":
        for (const command of this.commands.values()) this.transmit(command);
        break;
      case "post":
        for (const command of this.commands.values()) this.post(command);
        break;
      case "reload":
        this.halt();
        this.doors.reload();
        break;
      default:
    }
  }

  tell(code) {
    if (code === this.said) return;
    this.said = code;
    this.listener.state(code);
  }

  halt() {
    clearInterval(this.timer);
    this.drop();
    this.state.retryAt = 0;
  }

  // ---- the socket

  enter(socket) {
    Object.assign(this.state, { socket, since: this.doors.now(), joined: false });
  }

  connect() {
    this.drop();
    this.state.tries += 1;
    this.state.retryAt = 0;
    this.enter("connecting");
    let socket;
    try {
      const url = new URL(this.boot.ws, location.href);
      url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
      socket = new this.doors.WebSocket(url.href, [PROTOCOL]);
    } catch {
      this.enter("closed");
      this.signal({ kind: "closed", code: 1006 });
      return;
    }
    this.socket = socket;
    socket.onopen = () => {
      if (this.socket !== socket) return;
      this.enter("open");
      this.signal({ kind: "opened" });
    };
    socket.onmessage = (event) => {
      if (this.socket === socket) this.receive(JSON.parse(event.data));
    };
    socket.onclose = (event) => {
      if (this.socket !== socket) return;
      this.socket = undefined;
      this.enter("closed");
      this.signal({ kind: "closed", code: event.code });
      if (event.code === 4002) this.state.bad += 1;
      this.poll();
    };
  }

  drop() {
    const { socket } = this;
    this.socket = undefined;
    if (this.state.socket !== "closed") this.enter("closed");
    if (socket) {
      socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
      try {
        socket.close();
      } catch {
        // It was never open.
      }
    }
  }

  write(frame) {
    if (this.socket && this.state.socket === "open") this.socket.send(JSON.stringify(frame));
  }

  join() {
    const { held } = this;
    this.state.pinged = this.doors.now();
    this.write({
      t: "join", table: this.boot.table, as: this.boot.role, epoch: held?.epoch ?? 0, since: held?.seq ?? 0,
      hash: this.wrong ? "" : held?.hash ?? "", tab: this.tab, ...(this.aside ? { aside: true } : {}),
    });
  }

  /** Play in this window from now on; the other one looks on. */
  takeOver() {
    this.aside = false;
    if (this.state.socket === "open") this.join();
  }

  /** Another window plays the seat. */
  lookOn() {
    this.aside = true;
    this.listener.note("other_tab");
  }

  ping() {
    this.beats += 1;
    this.state.pinged = this.doors.now();
    this.write({ t: "hb", n: this.beats, have: this.held?.seq ?? 0, hash: this.held?.hash ?? "" });
  }

  // ---- what comes in

  receive(frame) {
    this.state.heard = this.doors.now();
    switch (frame.t) {
      case "snap":
        this.welcome();
        this.take(frame);
        break;
      case "ev":
        this.welcome();
        this.follow(frame);
        break;
      case "ack":
      case "nak":
        this.answer(frame);
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
        else this.listener.note(frame.code, frame.at);
        break;
      default: // a later server may say more
    }
  }

  /** The first answer to a join: the connection is whole again, commands still waiting go out once more. */
  welcome() {
    if (this.state.socket !== "open" || this.state.joined) return;
    Object.assign(this.state, { joined: true, tries: 0 });
    this.tell("");
    if (this.aside) this.lookOn();
    this.pausedAt = 0;
    for (const command of this.commands.values()) this.transmit(command);
  }

  take(snap) {
    this.held = hold(snap);
    this.wrong = false;
    this.cameAt = this.doors.now();
    this.listener.held(this.held, [], true);
    this.thaw();
  }

  follow(frame) {
    const { held, steps, trouble } = applyEvents(this.held, frame);
    if (trouble === "gap") {
      this.signal({ kind: "gap" });
      return;
    }
    this.held = held;
    this.cameAt = this.doors.now();
    this.wrong = trouble === "hash";
    this.listener.held(held, steps, false);
    this.thaw();
    if (this.wrong) this.signal({ kind: "hash" });
  }

  beat(frame) {
    if (!this.held) return;
    Object.assign(this.held, { clocks: frame.clocks ?? this.held.clocks, now: frame.now ?? this.held.now });
    this.cameAt = this.doors.now();
    if (frame.seq === this.held.seq && frame.hash && frame.hash !== this.held.hash) {
      this.wrong = true;
      this.signal({ kind: "hash" });
    } else if (frame.seq > this.held.seq) this.signal({ kind: "gap" });
  }

  // ---- commands

  /**
   * Ask for something. The promise ends with the server's `ack` or `nak`; it is never lost by a broken connection.
   */
  send(kind, args, turn) {
    const { game, decision } = this.held.view;
    const frame = { t: "cmd", id: uuid(this.doors.random), game, turn: turn ?? decision, kind, args };
    return new Promise((answer) => {
      const command = { frame, sent: 0, answer, kept: kind !== "exchange" };
      this.commands.set(frame.id, command);
      this.keep();
      this.transmit(command);
      this.listener.pending(this.commands.size);
    });
  }

  /** What waited for the clocks goes out once they run. */
  thaw() {
    if (this.held.view.frozen) return;
    for (const command of this.commands.values()) {
      if (!command.waits) continue;
      command.waits = false;
      this.transmit(command);
    }
  }

  transmit(command) {
    command.sent = this.doors.now();
    if (this.state.socket === "open") this.write(command.frame);
    else if (this.state.tries >= POLL_AFTER) this.post(command);
  }

  async post(command) {
    command.sent = this.doors.now();
    try {
      const reply = await this.doors.fetch(this.boot.commands, {
        method: "POST",
        credentials: "same-origin",
        headers: { "Content-Type": "application/json", "X-CSRFToken": this.boot.csrf ?? "" },
        body: JSON.stringify(command.frame),
      });
      const frame = await reply.json();
      if (frame.t === "ack" || frame.t === "nak") this.answer(frame);
      else if (reply.status === 401 || reply.status === 403) this.answer({ t: "nak", id: command.frame.id, code: "auth" });
    } catch {
      // Not reached: the next tick tries again.
    }
  }

  answer(frame) {
    const command = this.commands.get(frame.id);
    if (!command) return;
    // The server asks for the same command once more: when the clocks run again, or a little later. A second call for
    // the referee is not wanted then: somebody else's has stopped the clocks.
    if (frame.t === "nak" && frame.retry && !(frame.code === "frozen" && command.frame.kind === "dispute")) {
      command.waits = frame.code === "frozen";
      command.sent = command.waits ? Infinity : this.doors.now();
      if (this.held.seq >= (frame.seq ?? 0)) this.thaw(); // it may be over before the answer came
      return;
    }
    if (frame.code === "other_tab") this.lookOn();
    else if (frame.t === "ack" && this.aside) { // the other window has gone
      this.aside = false;
      this.listener.note("plays_here");
    }
    this.commands.delete(frame.id);
    this.keep();
    this.listener.pending(this.commands.size);
    command.answer(frame);
  }

  keep() {
    const frames = [...this.commands.values()].filter((command) => command.kept).map((command) => command.frame);
    try {
      if (frames.length) this.doors.storage?.setItem(this.store, JSON.stringify(frames));
      else this.doors.storage?.removeItem(this.store);
    } catch {
      // Storage may be full or refused; the command then lives in memory only.
    }
  }

  /** Commands that a reload interrupted: the same ids again, so that nothing is doubled. */
  restore() {
    let frames = [];
    try {
      frames = JSON.parse(this.doors.storage?.getItem(this.store) ?? "[]");
    } catch {
      frames = [];
    }
    for (const frame of frames) {
      this.commands.set(frame.id, { frame, sent: this.doors.now(), answer: () => {}, kept: true });
    }
    if (frames.length) this.listener.pending(frames.length);
  }

  // ---- events over HTTP, while no socket comes through

  async poll() {
    if (this.polling || this.state.tries < POLL_AFTER) return;
    this.polling = true;
    try {
      while (this.state.socket !== "open" && this.timer) {
        const url = `${this.boot.events}?epoch=${this.held.epoch}&since=${this.held.seq}&wait=20&game=${this.held.view.game}`;
        const asked = this.doors.now();
        const reply = await this.doors.fetch(url, { credentials: "same-origin" });
        if (!reply.ok) break;
        const frame = await reply.json();
        if (frame.t === "snap") this.take(frame);
        else if (frame.t === "ev") this.follow(frame);
        this.tell("slow");
        // The server holds the answer back until there is news; one that comes at once is not asked for at once again.
        if (this.doors.now() - asked < POLL_MS) await new Promise((go) => setTimeout(go, POLL_MS));
      }
    } catch {
      // The network is gone altogether; the socket's attempts go on.
    }
    this.polling = false;
  }
}

function hex(bytes, random) {
  let text = "";
  for (let i = 0; i < bytes; i += 1) text += Math.floor(random() * 256).toString(16).padStart(2, "0");
  return text;
}

/** A random UUID (version 4); crypto.randomUUID is missing on plain http. */
export function uuid(random) {
  const bytes = new Uint8Array(16);
  if (globalThis.crypto?.getRandomValues) crypto.getRandomValues(bytes);
  else for (let i = 0; i < 16; i += 1) bytes[i] = random() * 256;
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const text = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join("-");
}
