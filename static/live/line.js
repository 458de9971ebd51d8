// The two ways to the server: a socket, and events over HTTP while no socket comes through.

/** @import { Frame } from "./types.js" */

const PROTOCOL = "tock.table.v1";
const POLL_MS = 1000; // between two answers over HTTP, at least
const POLL_AFTER = 2; // tries without a socket before HTTP is used

export class Line {
  /** @param {import("./link.js").Link} link */
  constructor(link) {
    this.link = link;
    this.state = link.state;
    /** @type {WebSocket | undefined} */
    this.socket = undefined;
    this.polling = false;
  }

  get open() {
    return this.state.socket === "open";
  }

  /** No socket has come through; what cannot wait goes by HTTP. */
  get blocked() {
    return !this.open && this.state.tries >= POLL_AFTER;
  }

  /** @param {"closed" | "connecting" | "open"} socket */
  enter(socket) {
    Object.assign(this.state, { socket, since: this.link.doors.now(), joined: false });
  }

  connect() {
    const { boot, doors } = this.link;
    this.drop();
    this.state.tries += 1;
    this.state.retryAt = 0;
    this.enter("connecting");
    let socket;
    try {
      const url = new URL(boot.ws, location.href);
      url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
      socket = new doors.WebSocket(url.href, [PROTOCOL]);
    } catch {
      this.closed(1006);
      return;
    }
    this.socket = socket;
    // What an earlier socket still says is not heard.
    const current = () => this.socket === socket;
    socket.onopen = () => {
      if (!current()) return;
      this.enter("open");
      this.link.signal({ kind: "opened" });
    };
    socket.onmessage = ({ data }) => {
      if (current()) this.link.receive(JSON.parse(data));
    };
    socket.onclose = ({ code }) => {
      if (!current()) return;
      this.socket = undefined;
      this.closed(code);
      if (code === 4002) this.state.bad += 1;
      this.poll();
    };
  }

  /** @param {number} code */
  closed(code) {
    this.enter("closed");
    this.link.signal({ kind: "closed", code });
  }

  drop() {
    const { socket } = this;
    this.socket = undefined; // what it still says is not heard
    if (this.state.socket !== "closed") this.enter("closed");
    socket?.close();
  }

  /** Ask over HTTP: the proxy sends this to a host that has its database, if there is one. */
  async probe() {
    const { link } = this;
    const { boot, doors } = link;
    this.state.probed = doors.now();
    if (!link.held) return;
    const { epoch, seq, view } = link.held;
    const url = `${boot.events}?epoch=${epoch}&since=${seq}&wait=0&game=${view.game}`;
    try {
      const reply = await doors.fetch(url, { credentials: "same-origin" });
      if (reply.ok) link.signal({ kind: "elsewhere" });
    } catch {
      // Nobody answers: the socket stays where it is.
    }
  }

  /** @param {object} frame */
  write(frame) {
    if (this.open) this.socket?.send(JSON.stringify(frame));
  }

  async poll() {
    const { link } = this;
    const { boot, doors } = link;
    if (this.polling || !this.blocked || !link.held) return;
    this.polling = true;
    try {
      while (!this.open && link.timer) {
        const { epoch, seq, view } = link.held;
        const url = `${boot.events}?epoch=${epoch}&since=${seq}&wait=20&game=${view.game}`;
        const asked = doors.now();
        const reply = await doors.fetch(url, { credentials: "same-origin" });
        if (!reply.ok) break;
        /** @type {Frame} */
        const frame = await reply.json();
        if (frame.t === "snap") link.take(frame);
        else if (frame.t === "ev") link.follow(frame);
        link.tell("slow");
        // The server holds the answer back until there is news; one that comes at once is not asked for at once again.
        if (doors.now() - asked < POLL_MS) await new Promise((go) => setTimeout(go, POLL_MS));
      }
    } catch {
      // The network is gone altogether; the socket's attempts go on.
    }
    this.polling = false;
  }
}
