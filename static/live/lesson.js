// A lesson of the guided first game: the table's own page, on a line that ends here. The server's engine judges each
// play and answers with what follows; nothing is kept there.
import { byId, pageBoot, pageData, say } from "./dom.js";
import { doors } from "./doors.js";
import { gettext } from "./i18n.js";
import { finish } from "./progress.js";
import { Table } from "./table.js";
/** @import { Geometry } from "./tock_types.js" */
/** @import { Boot, Command, Events, Frame } from "./types.js" */

/** @typedef {(frame: Frame) => void} Reply */

/**
 * What comes of a play: events, what was done, what is to be done next; or a hint.
 * @typedef {{ev?: Events, done?: string, do?: string, hint?: string, error?: {message: string}}} Found
 */

/**
 * A socket whose other end is in this page.
 * @param {(frame: Command | {t: "join" | "hb", n?: number}, reply: Reply) => void} hear
 */
const socketTo = (hear) =>
  class {
    constructor() {
      /** @type {(() => void) | undefined} */
      this.onopen = undefined;
      /** @type {((message: {data: string}) => void) | undefined} */
      this.onmessage = undefined;
      queueMicrotask(() => this.onopen?.());
    }

    /** @param {string} text */
    send(text) {
      hear(JSON.parse(text), (frame) => this.onmessage?.({ data: JSON.stringify(frame) }));
    }

    close() {
      this.onmessage = undefined;
    }
  };

/** The line of notation that a command plays. @param {Command} command */
function lineOf({ kind, args }) {
  if (kind === "play") return args.play;
  return `${kind === "burn" ? "burn" : "give"} ${args.card}`;
}

class Lesson extends Table {
  /** @param {Boot} boot @param {Geometry} geometry @param {DOMStringMap} data of the script */
  constructor(boot, geometry, data) {
    const line = /** @type {typeof WebSocket} */ (/** @type {unknown} */ (socketTo((...sent) => this.hear(...sent))));
    super(boot, geometry, { ...doors(), WebSocket: line, storage: undefined, shelf: undefined });
    this.data = data;
    /** @type {string[]} the player's plays so far */
    this.tried = [];
    this.hint = ""; // why the last play was refused
    const { around } = this;
    const refused = around.refused.bind(around);
    around.refused = (text) => {
      refused(text && (this.hint || `${text} ${byId("lesson-do").textContent}`));
      this.hint = "";
    };
  }

  /** @param {Command | {t: "join" | "hb", n?: number}} frame @param {Reply} reply */
  hear(frame, reply) {
    const { seq, hash } = this.link.shown;
    if (frame.t === "cmd") this.judge(frame, reply);
    else reply({ t: "hb", n: frame.n ?? 0, seq, hash, clocks: {}, now: Date.now() });
  }

  /** Let the server's engine judge a play. @param {Command} command @param {Reply} reply */
  async judge(command, reply) {
    const plays = [...this.tried, lineOf(command)];
    const address = new URL(this.data.play ?? "", location.href);
    for (const play of plays) address.searchParams.append("play", play);
    /** @type {Found} */
    let found;
    try {
      found = await (await this.doors.fetch(address, { credentials: "same-origin" })).json();
      this.hint = found.hint ?? found.error?.message ?? "";
    } catch {
      found = {};
      this.hint = gettext("The server could not be reached. Try again.");
    }
    if (!found.ev) {
      reply({ t: "nak", id: command.id, code: "illegal", why: "not_listed" });
      return;
    }
    this.tried = plays;
    reply({ t: "ack", id: command.id, seq: found.ev.from });
    reply(found.ev);
    this.enqueue(() => this.tell(found));
  }

  /** What was done, and what comes next. @param {Found} found */
  tell({ done = "", do: next = "" }) {
    const [was, now, end] = ["lesson-done", "lesson-do", "lesson-end"].map((id) => byId(id));
    say(was, done);
    say(now, next);
    was.hidden = false;
    now.hidden = !next;
    end.hidden = Boolean(next);
    say(byId("said"), [done, next].join(" ").trim());
    if (next) return;
    finish([this.data.name ?? ""], this.data.keep);
    byId("lesson-next").focus({ preventScroll: true });
  }
}

const { dataset } = /** @type {HTMLElement} */ (document.querySelector("script[data-play]"));
const boot = { ...pageBoot("lesson"), replay: true }; // nothing is kept that could be seen again
const lesson = new Lesson(boot, /** @type {Geometry} */ (pageData("geometry")), dataset);
lesson.start();
Object.assign(globalThis, { tockTable: lesson }); // for the browser's console and for tests
