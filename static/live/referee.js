// The referee at the table: calling one, the clocks that stand still meanwhile, and what a referee who sits down sees.
import { minutes } from "./clock.js";
import { byId, el, isSeat, say } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";
import { shortNames } from "./names.js";
import { icon } from "./pieces.js";
/** @import { Arguments, Boot, Clocks, Texts, View, You } from "./types.js" */

const CALLS = 2; // per seat and game
const KEY = "F2"; // a key of its own: no letter, so that nothing typed or dictated calls anybody

/** What a call was about, as a noun; "" when nothing was said. @param {string} kind */
export function kindWords(kind) {
  /** @type {Texts} */
  const words = {
    talk: gettext("talking"),
    touch: gettext("touched marble"),
    illegal: gettext("play not allowed"),
    clock: gettext("clock"),
    conduct: gettext("conduct"),
  };
  return words[kind] ?? "";
}

/**
 * What the strip over the board says while no play counts. Pure.
 * @param {Pick<Boot, "seat" | "names">} boot @param {View} view @param {number} now
 */
export function frozenWords(boot, view, now) {
  const { frozen } = view;
  if (!frozen) return null;
  const parts = [];
  if (frozen.by === "referee") parts.push(gettext("A referee has stopped the game."));
  else if (frozen.seat === boot.seat) parts.push(gettext("You called the referee."));
  else
    parts.push(
      fill(gettext("%(name)s called the referee."), { name: shortNames(boot.names)[frozen.seat ?? -1] ?? "" }),
    );
  if (frozen.held) parts.push(gettext("A referee has taken the case and decides."));
  else if (frozen.until && !now)
    parts.push(gettext("If nobody comes in time, play goes on by itself and the case goes on after the game."));
  else if (frozen.until) {
    const left = minutes(Math.max(0, frozen.until - now));
    parts.push(
      fill(gettext("If nobody comes within %(time)s, play goes on by itself and the case goes on after the game."), {
        time: left,
      }),
    );
  }
  return { title: gettext("The clocks are stopped"), text: parts.join(" ") };
}

export class Referee {
  /** @param {Boot} boot @param {{call: (args: Arguments) => void}} player @param {string[]} [without] */
  constructor(boot, player, without = []) {
    this.boot = boot;
    this.player = player;
    this.without = without; // kinds of calls that this game does not have
    this.button = byId("referee");
    /** @type {View | undefined} */
    this.view = undefined;
    this.state = ""; // of the clocks that stand still, as last announced
    this.button.addEventListener("click", () => this.open());
    addEventListener("keydown", (event) => {
      if (
        event.key !== KEY ||
        event.repeat ||
        this.button.hidden ||
        /** @type {HTMLDialogElement} */ (byId("dialog")).open
      )
        return;
      event.preventDefault();
      this.open();
    });
    if (boot.role === "referee") this.desk();
  }

  get seated() {
    return isSeat(this.boot.seat);
  }

  /** How many calls this seat still has in this game. @param {View} view */
  left(view) {
    return CALLS - (view.calls?.[this.boot.seat ?? -1] ?? 0);
  }

  /** @param {View} view @param {You | undefined} you */
  show(view, you) {
    this.view = view;
    const playing = view.phase !== "seating" && view.phase !== "over";
    // Whoever has given up is out of the game: nothing is left to call about.
    const { seat, teams } = this.boot;
    const out = isSeat(seat) && view.out?.includes(seat % teams);
    this.button.hidden = !(this.seated && you?.powers?.includes("dispute") && playing) || Boolean(out);
    if (view.frozen || this.left(view) <= 0) this.button.setAttribute("aria-disabled", "true");
    else this.button.removeAttribute("aria-disabled");
    this.announce(view);
    this.sees(you);
  }

  /**
   * The strip and the countdown, several times a second; the words are said once, by `announce`.
   * @param {number} now @param {Clocks | undefined} clocks
   */
  tick(now, clocks) {
    if (!this.view) return;
    const words = frozenWords(this.boot, this.view, now);
    byId("turn").classList.toggle("frozen", Boolean(words));
    byId("frozen-text").hidden = !words;
    if (words) say(byId("frozen-text"), words.text);
    const wait = words || this.view.phase === "over" ? 0 : Math.ceil(((clocks?.opened ?? 0) - now) / 1000);
    byId("restart").hidden = wait < 2; // a second of difference between two machines is no countdown
    if (wait >= 2)
      say(
        byId("restart"),
        fill(
          ngettext(
            "Play goes on: the clock runs in %(count)s second.",
            "Play goes on: the clock runs in %(count)s seconds.",
            wait,
          ),
          { count: wait },
        ),
      );
  }

  /** @param {View} view */
  announce(view) {
    const { frozen } = view;
    const state = frozen ? `${frozen.seq}:${Boolean(frozen.held)}` : "";
    const before = this.state;
    if (state === before) return;
    this.state = state;
    if (state) {
      // Without the running time: a live region that changes each second would never fall silent.
      const words = frozenWords(this.boot, view, 0);
      say(byId("called"), `${words?.title}. ${words?.text}`);
    } else if (before)
      say(
        byId("said"),
        gettext("Play goes on. The clock runs in 10 seconds, with the time that was left, at least 20 seconds."),
      );
  }

  // ---- calling

  async open() {
    const { view } = this;
    if (!view || this.button.hidden) return;
    try {
      const { openCall } = await import("./call.js");
      openCall({ boot: this.boot, view, left: this.left(view), without: this.without, call: this.player.call });
    } catch {
      say(byId("called"), gettext("Connection lost. Trying again…")); // the call could not be sent either
    }
  }

  // ---- for a referee at the table

  /** The way to the case, over the list of plays. */
  desk() {
    const { boot } = this;
    if (!boot.desk) return;
    byId("side-top").replaceChildren(
      el(
        "section",
        { class: "side-panel referee-panel", "aria-labelledby": "ref-h" },
        el("h2", { id: "ref-h" }, gettext("You are the referee here")),
        el(
          "p",
          { class: "small" },
          gettext(
            "You see what everybody sees, without delay. A hand is shown only when the case file opens it, and that is recorded.",
          ),
        ),
        el("a", { class: "button danger full block", href: boot.desk }, icon("whistle"), gettext("Open the case file")),
      ),
    );
  }

  /** Whose hand lies open to the referee. @param {You | undefined} you */
  sees(you) {
    const seat = you?.sees;
    byId("sees").hidden = seat === undefined;
    if (seat !== undefined)
      say(byId("sees"), fill(gettext("%(name)s’s hand, opened for the case"), { name: this.boot.names[seat] ?? "" }));
  }
}
