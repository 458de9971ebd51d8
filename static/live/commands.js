// Commands until they are answered: by the socket, else over HTTP, as often as it takes; kept over a reload.

/** @import { Ack, Arguments, Command, Frame, Nak } from "./types.js" */

/**
 * A request that is not answered yet. `kept` over a reload; `waits` for the clocks to run; `apart`: goes by HTTP.
 * @typedef {{frame: Command, sent: number, answer: (frame: Ack | Nak) => void, kept: boolean, waits?: boolean,
 *            apart?: boolean}} Waiting
 */

export class Commands {
  /** @param {import("./link.js").Link} link */
  constructor(link) {
    this.link = link;
    /** @type {Map<string, Waiting>} */
    this.waiting = new Map(); // id -> {frame, sent, answer, kept, waits}
    this.store = `tock.commands.${link.boot.table}`;
  }

  get size() {
    return this.waiting.size;
  }

  /** When the oldest was last sent; 0: none waits. */
  get oldest() {
    const sent = [...this.waiting.values()].map((command) => command.sent);
    return sent.length ? Math.min(...sent) : 0;
  }

  /**
   * Ask for something. The promise ends with the server's `ack` or `nak`; it is never lost by a broken connection.
   * @param {string} kind @param {Arguments} args @param {string} [turn] @param {boolean} [apart] by HTTP, whichever
   * window plays the seat
   * @returns {Promise<Ack | Nak>}
   */
  send(kind, args, turn, apart) {
    const { game, decision } = this.link.shown.view;
    /** @type {Command} */
    const frame = { t: "cmd", id: uuid(), game, turn: turn ?? decision, kind, args };
    return new Promise((answer) => {
      /** @type {Waiting} */
      const command = { frame, sent: 0, answer, kept: kind !== "exchange", apart };
      this.waiting.set(frame.id, command);
      this.changed();
      this.transmit(command);
    });
  }

  /** Send everything that waits once more. @param {(command: Waiting) => void} [way] */
  again(way = this.transmit) {
    for (const command of this.waiting.values()) way.call(this, command);
  }

  /** What waited for the clocks goes out once they run. */
  thaw() {
    if (this.link.shown.view.frozen) return;
    for (const command of this.waiting.values()) {
      if (!command.waits) continue;
      command.waits = false;
      this.transmit(command);
    }
  }

  /** @param {Waiting} command */
  transmit(command) {
    const { line, doors } = this.link;
    command.sent = doors.now();
    if (command.apart) this.post(command);
    else if (line.open) line.write(command.frame);
    else if (line.blocked) this.post(command);
  }

  /** @param {Waiting} command */
  async post(command) {
    const { boot, doors } = this.link;
    command.sent = doors.now();
    try {
      const reply = await doors.fetch(boot.commands, {
        method: "POST",
        credentials: "same-origin",
        headers: { "Content-Type": "application/json", "X-CSRFToken": boot.csrf ?? "" },
        body: JSON.stringify(command.frame),
      });
      /** @type {Frame} */
      const frame = await reply.json();
      if (frame.t === "ack" || frame.t === "nak") this.answer(frame);
      else if (reply.status === 401 || reply.status === 403)
        this.answer({ t: "nak", id: command.frame.id, code: "auth" });
    } catch {
      // Not reached: the next tick tries again.
    }
  }

  /** @param {Ack | Nak} frame */
  answer(frame) {
    const { link } = this;
    const command = this.waiting.get(frame.id);
    if (!command) return;
    // The server asks for the same command once more: when the clocks run again, or a little later. A second call for
    // the referee is not wanted then: somebody else's has stopped the clocks.
    if (frame.t === "nak" && frame.retry && !(frame.code === "frozen" && command.frame.kind === "dispute")) {
      command.waits = frame.code === "frozen";
      command.sent = command.waits ? Infinity : link.doors.now();
      if (link.shown.seq >= (frame.seq ?? 0)) this.thaw(); // it may be over before the answer came
      return;
    }
    if (!command.apart) link.answered(frame);
    this.waiting.delete(frame.id);
    this.changed();
    command.answer(frame);
  }

  /** Keep what a reload must not lose. */
  changed() {
    const { doors, listener } = this.link;
    const frames = [...this.waiting.values()].filter((command) => command.kept).map((command) => command.frame);
    try {
      if (frames.length) doors.storage?.setItem(this.store, JSON.stringify(frames));
      else doors.storage?.removeItem(this.store);
    } catch {
      // Storage may be full or refused; the command then lives in memory only.
    }
    listener.pending(this.size);
  }

  /** Commands that a reload interrupted: the same ids again, so that nothing is doubled. */
  restore() {
    const { doors, listener } = this.link;
    /** @type {Command[]} */
    let frames = [];
    try {
      frames = JSON.parse(doors.storage?.getItem(this.store) ?? "[]");
    } catch {
      // Nothing that can be read was kept.
    }
    for (const frame of frames) {
      this.waiting.set(frame.id, { frame, sent: doors.now(), answer: () => {}, kept: true });
    }
    if (frames.length) listener.pending(frames.length);
  }
}

/** A random UUID (version 4); crypto.randomUUID is missing on plain http. */
export function uuid() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const text = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return text.replace(/^(.{8})(....)(....)(....)/, "$1-$2-$3-$4-");
}
