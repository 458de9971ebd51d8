// What every table's page does: what comes over the link is queued and shown, turns and time are called. A game's own
// page extends it; the rules stay on the server.
import { Around } from "./around.js";
import { Caller } from "./caller.js";
import { chosen } from "./chosen.js";
import { Decided } from "./decided.js";
import { byId, say } from "./dom.js";
import { gettext } from "./i18n.js";
import { Link } from "./link.js";
import { Plays } from "./plays.js";
import { Referee } from "./referee.js";
/** @import { Seats } from "./seats.js" */
/** @import { Ack, Arguments, Boot, Company, Doors, GameEvent, Held, Nak } from "./types.js" */
/** @import { Presence, Step, Told, View } from "./types.js" */

const CATCH_UP = 3; // only the last events of a longer absence are animated
const NOTE_MS = 6000;

/**
 * What the page asks of its player, whatever is played.
 * @typedef {object} PagePlayer
 * @property {number} sent       commands not answered yet
 * @property {unknown} choice
 * @property {boolean} mayChoose
 * @property {boolean} busy
 * @property {() => boolean} cancel
 * @property {(text: string) => boolean} typed
 * @property {(kind: string, args: Arguments) => Promise<Ack | Nak>} ask
 */

/**
 * @template {View} V    the view of the family
 * @template {GameEvent} E   its events
 */
export class Page {
  /** @type {PagePlayer} set by the game's page */
  player = /** @type {PagePlayer} */ (/** @type {unknown} */ (undefined));
  /** @type {Seats} set by the game's page */
  seats = /** @type {Seats} */ (/** @type {unknown} */ (undefined));

  /**
   * A game's page adds `player`, `seats`; `render()`, `animate(step, late)`, `settled(view)`, `cleared()`,
   * `deciding()`.
   * @param {Boot} boot @param {Doors} doors
   * @param {{tell: (event: Step<V, E> | E) => Told | null, keep: number, without?: string[]}} state
   */
  constructor(boot, doors, { tell, keep, without }) {
    this.boot = boot;
    this.doors = doors;
    /** @type {Company} */
    this.company = {
      seats: boot.seats,
      teams: boot.teams,
      rules: boot.rules,
      names: boot.names,
      team_names: boot.team_names,
      me: boot.seat ?? undefined,
    };
    this.view = /** @type {V} */ (boot.snap.view);
    this.epoch = boot.snap.epoch;
    /** @type {Promise<unknown>} */
    this.queue = Promise.resolve();
    this.waiting = 0; // events not yet shown
    /** @type {Step<V, E>[]} what has been shown, oldest first */
    this.seen = [];
    /** @type {((step: Step<V, E>) => Promise<void>) | undefined} waits after a step where that is wanted */
    this.rest = undefined;
    this.caller = new Caller();
    this.keep = keep;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.ticking = undefined;
    this.plays = new Plays(byId("plays"), { tell, keep, last: document.getElementById("last-play") });
    this.around = new Around(boot, doors, {
      resign: () => this.player.ask("resign", {}),
      typed: (text) => this.player.typed(text),
      here: () => this.link.takeOver(),
    });
    this.decided = new Decided(boot);
    this.referee = new Referee(boot, { call: (args) => this.player.ask("dispute", args) }, without);
    this.link = new Link(
      boot,
      {
        // A table plays one family to its end: its views and events are of that family.
        held: (held, steps, whole) =>
          this.receive(/** @type {Held<V>} */ (held), /** @type {Step<V, E>[]} */ (steps), whole),
        who: (frame) => this.present(frame),
        note: (code) => this.note(code),
        state: (code) => this.around.strip(code),
        pending: (count) => {
          this.player.sent = count;
          this.render();
        },
      },
      doors,
    );
    // The table can be played while it loads, and without it. A lesson has no address for commands, and no shuffle.
    this.share = (boot.commands ? import("./share.js") : Promise.reject())
      .then(({ Share }) => new Share(boot, this.link, doors.shelf))
      .catch(() => null);
    /** @type {import("./time_cap.js").TimeCaps | undefined} */
    this.timeCap = undefined;
    if (boot.snap.view.cap)
      import("./time_cap.js").then(
        ({ TimeCaps }) => {
          this.timeCap = new TimeCaps();
        },
        () => null,
      );
    this.readying = false;
    byId("take-back")?.addEventListener("click", () => this.takeBack());
    /** @type {import("./extras.js").Extras | undefined} */
    this.extras = undefined;
    import("./extras.js")
      .then(({ Extras }) => {
        this.extras = new Extras(this, (args) => this.player.ask("phrase", args));
      })
      .catch(() => null);
  }

  /** Take the own last play back, in practice; pressed again, the one before it. */
  takeBack() {
    if (!this.player.busy) this.player.ask("take_back", {});
  }

  /** Say that the player is ready, and commit to a share of the shuffle. */
  async ready() {
    if (this.readying) return;
    this.readying = true;
    const share = await this.share;
    const { view } = this.link.shown;
    const answer = await this.player.ask("ready", share?.commit(view) ?? {});
    share?.answered(view, answer);
    this.readying = false;
  }

  /** A word from the table. Some are for the link alone; they take nothing away that is shown. @param {string} code */
  note(code) {
    if (code === "deploy" || code === "delay") this.around.strip(code, NOTE_MS);
    else if (code === "other_tab") this.around.strip(code);
    else if (code === "plays_here") this.around.strip("");
  }

  start() {
    this.link.start(this.boot.snap);
    this.history();
    this.ticking = setInterval(() => this.tick(), 250);
    if (this.seated) this.around.stayAwake();
    const { boot, company, view } = this;
    if (boot.kind !== "match" && !this.sent && view.ready?.[company.me ?? 9] === false) this.ready();
  }

  get seated() {
    return this.company.me !== undefined;
  }

  /** The clocks stand still: no play counts. */
  get stopped() {
    return Boolean(this.view.frozen);
  }

  // What others ask of the player's choice: the keyboard, tests.
  get choice() {
    return this.player.choice;
  }

  get mayChoose() {
    return this.player.mayChoose;
  }

  get busy() {
    return this.player.busy;
  }

  get sent() {
    return this.player.sent;
  }

  cancel() {
    return this.player.cancel();
  }

  /** Draw what the page holds. */
  render() {}

  /** What is shown belongs to another game or to a turn taken back. */
  cleared() {}

  /** Take in a view that is shown without motion. @param {V} _view */
  settled(_view) {}

  /** Show an event. @param {Step<V, E>} _step @param {boolean} _late @returns {Promise<void>} */
  async animate(_step, _late) {}

  /** The seats that have to decide now. @returns {Set<number>} */
  deciding() {
    return new Set();
  }

  /** @param {Held<V>} held @param {Step<V, E>[]} steps @param {boolean} whole */
  receive(held, steps, whole) {
    this.share.then((share) => {
      for (const view of whole ? [held.view] : steps.map((step) => step.after)) share?.follow(view);
    });
    if (whole) {
      const other = this.view.game !== held.view.game;
      const rewound = !other && this.epoch !== held.epoch;
      this.epoch = held.epoch;
      if (other || rewound) {
        this.plays.clear();
        this.seen = [];
        this.cleared();
      }
      this.enqueue(() => this.settleOn(held.view));
      if (rewound) say(byId("said"), this.rewoundWords());
      if (other || rewound) this.history();
      return;
    }
    this.waiting += steps.length;
    const { behind } = this.link;
    steps.forEach((step, i) => {
      const late = steps.length - i > CATCH_UP;
      this.queue = this.queue
        .then(() => {
          this.extras?.cues?.event(step, behind || late);
          return this.play(step, late);
        })
        .catch((error) => console.error(error))
        .then(() => {
          this.waiting -= 1;
          this.view = step.after;
          this.seen.push(step);
          this.render();
          if (!late) this.extras?.turn(behind);
          return late ? undefined : this.rest?.(step);
        });
    });
  }

  rewoundWords() {
    if (this.boot.kind === "practice") return gettext("Your last play is taken back: choose again.");
    return gettext("The referee has taken play back: the table stands as it stood then.");
  }

  /** Do something once what came before is shown. @param {() => void} act */
  enqueue(act) {
    this.queue = this.queue.then(act);
  }

  /** Show a view as it is, without motion. @param {V} view */
  settleOn(view) {
    this.settled(view);
    this.view = view;
    this.render();
    this.extras?.turn(true);
  }

  /** One event: said, listed, animated. @param {Step<V, E>} step @param {boolean} late */
  async play(step, late) {
    const words = this.plays.add(step);
    this.plays.tellEmpty(byId("no-plays"));
    const muted = step.k === "phrase" && chosen("phrases") === "off";
    if (words && !late && !muted) say(byId("said"), words.text);
    await this.animate(step, late);
  }

  /** @param {Presence} frame */
  present(frame) {
    const { kind, bots = [], names } = this.boot;
    // At a casual table people take seats from bots: the page is drawn anew with their names.
    if (
      kind === "casual" &&
      frame.seats.some(({ bot = "", name }, n) => bot !== bots[n] || (name && name !== names[n]))
    )
      return location.reload();
    this.seats.present(frame.seats);
    byId("eyes").hidden = !frame.spectators;
    say(byId("eyes-n"), String(frame.spectators));
    this.render();
  }

  /** The plays before this page was opened, for the list. */
  async history() {
    const { link, boot } = this;
    const { held } = link;
    if (!held) return;
    const since = Math.max(0, held.seq - this.keep);
    if (!held.seq || !boot.events) return;
    try {
      const reply = await this.doors.fetch(`${boot.events}?epoch=${held.epoch}&since=${since}&wait=0`, {
        credentials: "same-origin",
      });
      /** @type {{list?: E[]}} */
      const frame = await reply.json();
      this.recall((frame.list ?? []).filter((event) => event.seq <= link.shown.seq));
      this.plays.tellEmpty(byId("no-plays"));
    } catch {
      // The list then begins with the next play.
    }
  }

  /** Earlier events, in order. @param {E[]} events */
  recall(events) {
    for (const event of events) this.plays.add(event);
  }

  /** Is the own seat among those that decide? @param {Set<number>} deciding */
  isDeciding(deciding) {
    return this.company.me !== undefined && deciding.has(this.company.me);
  }

  /** @param {string} title @param {Set<number>} deciding */
  callTurn(title, deciding) {
    this.caller.turn(title, this.view, this.isDeciding(deciding));
    this.extras?.phrases.show(this.view);
  }

  tick() {
    const { link, view } = this;
    const clocks = link.held?.clocks ?? {};
    const { now, paused } = link;
    this.seats.tick(clocks, now, view.phase);
    this.referee.tick(now, clocks);
    this.decided.show(this.view);
    this.timeCap?.tick(view, now);
    this.caller.time(clocks, now, { paused, phase: view.phase, mine: this.isDeciding(this.deciding()) });
  }
}
