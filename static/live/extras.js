// What a page of a table has besides the game: cues, settings, phrases. Loaded once the table is drawn; the game does
// not need it.
import { chosen } from "./chosen.js";
import { byId, el, isSeat, swapChildren } from "./dom.js";
import { phraseWords } from "./rulings.js";
/** @import { Board } from "./board.js" */
/** @import { Caller } from "./caller.js" */
/** @import { Cues } from "./cues.js" */
/** @import { Arguments, Boot, View } from "./types.js" */
/** @import { Wood } from "./wood.js" */

/** @type {{[phase: string]: string[] | undefined}} */
const SAID = { seating: ["ready", "short_pause", "thanks"], over: ["good_game", "thanks", "short_pause"] };

/**
 * A table's page or a replay.
 * @typedef {{boot: Boot, board?: Board, caller?: Caller, view?: View, render?: () => void,
 *   rest?: (step: any) => Promise<void>, isDeciding?: (seats: Set<number>) => boolean,
 *   deciding: (view: any) => Set<number>}} Shown
 */

export class Phrases {
  /** @param {Boot} boot @param {(args: Arguments) => unknown} [tell] */
  constructor(boot, tell) {
    this.boot = boot;
    this.tell = tell;
    this.phase = "";
    this.box = byId("phrases");
  }

  /** Offer what may be said now, each once. @param {View} view */
  show({ phase }) {
    if (phase === this.phase || !this.box) return;
    this.phase = phase;
    const { kind, seat } = this.boot;
    const codes = isSeat(seat) && kind !== "practice" ? (SAID[phase] ?? []) : [];
    this.box.hidden = !codes.length;
    swapChildren(
      this.box,
      codes.map((code) => {
        const button = el("button", { type: "button", class: "button on-felt" }, phraseWords(code));
        button.addEventListener("click", () => this.say(code, button));
        return button;
      }),
    );
  }

  /** @param {string} code @param {HTMLButtonElement} button */
  say(code, button) {
    button.disabled = true;
    this.tell?.({ code });
  }
}

export class Extras {
  /** @param {Shown} page @param {(args: Arguments) => unknown} [tell] says a phrase */
  constructor(page, tell) {
    this.page = page;
    const dialog = /** @type {HTMLDialogElement} */ (byId("settings"));
    this.addresses = dialog.dataset;
    /** @type {Cues | undefined} once something is to be heard or felt */
    this.cues = undefined;
    this.phrases = new Phrases(page.boot, tell);
    /** @type {Wood | undefined} once it has been turned */
    this.wood = undefined;
    const { caller, view } = page;
    if (caller) caller.low = () => page.view && this.cues?.decision("low", page.view);
    if (view) this.phrases.show(view);
    const button = byId("settings-button");
    button.hidden = false;
    button.addEventListener("click", async () => {
      const { open } = await import("./settings.js");
      open(dialog, page.boot.csrf, async () => {
        await this.changed();
        this.cues?.sound((sounds) => sounds.sample());
      });
    });
    document.getElementById("coach")?.addEventListener("click", async () => (await import("./coach.js")).ask(page));
    byId("see-again")?.addEventListener("click", async () =>
      (await import("./again.js")).show(/** @type {any} */ (page)),
    );
    document.addEventListener("settings", () => this.changed());
    this.changed();
  }

  /** Settings have been read, or have changed, here or in another window. */
  async changed() {
    const { page } = this;
    const { board, render } = page;
    if (chosen("speed") === "slow") page.rest ??= (await import("./unhurried.js")).restOf(page.boot);
    if (chosen("sound") === "on" || chosen("vibration") === "on") {
      const { Cues } = await import("./cues.js");
      if (!this.cues) {
        this.cues = new Cues(this.addresses);
        this.turn(true); // what runs already is known
      }
      this.cues.sound(() => {}); // armed: the next press lets the page sound
    }
    if (!board || (!this.wood && chosen("turned") !== "off")) return;
    const { Wood } = await import("./wood.js");
    this.wood ??= new Wood(board);
    if (this.wood.lie()) render?.call(this.page);
  }

  /** Call the own turn. @param {boolean} behind */
  turn(behind) {
    const { page } = this;
    const { view } = page;
    if (!view || view.frozen || view.phase === "seating" || !page.isDeciding?.(page.deciding(view))) return;
    this.cues?.decision("turn", view, behind);
    if (!behind && document.hidden) import("./away.js").then(({ call }) => call(view));
  }
}
