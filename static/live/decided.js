// What is known of a game after its end: the rulings under its result, because the page of a table stays open while a
// referee decides, and its figures and ratings.
import { byId, el, swapChildren } from "./dom.js";
import { gettext } from "./i18n.js";
import { icon } from "./pieces.js";
/** @import { Boot, View } from "./types.js" */

/** @typedef {{url: string, words: string, effects: string}} Ruled */

export class Decided {
  /** @param {Boot} boot */
  constructor(boot) {
    this.boot = boot;
    this.asked = ""; // the game whose rulings were asked for
    // Whoever comes back to the page may find a ruling that was signed meanwhile.
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.asked = "";
    });
  }

  /** @param {View} view */
  show(view) {
    const { boot } = this;
    const game = view.phase === "over" ? view.game : "";
    if (game === this.asked) return;
    this.asked = game;
    const ending = boot.ending?.replace(boot.game, game);
    if (ending) import("./ending.js").then((end) => end.show(ending, game)).catch(() => null);
    if (!boot.rulings) return;
    if (game) this.ask(boot.rulings.replace(boot.game, game), game);
    else swapChildren(byId("decided"), []);
  }

  /** @param {string} address @param {string} game */
  async ask(address, game) {
    /** @type {Ruled[]} */
    let rulings = [];
    try {
      const reply = await fetch(address, { credentials: "same-origin" });
      if (!reply.ok) return;
      ({ rulings } = await reply.json());
    } catch {
      return; // not reached: the page of the match links to them too
    }
    if (game !== this.asked) return;
    swapChildren(
      byId("decided"),
      rulings.map(({ url, words, effects }) =>
        el(
          "p",
          { class: "quiet-note center" },
          icon("whistle"),
          " ",
          el("a", { href: url }, words),
          effects ? ` ${effects}` : "",
        ),
      ),
    );
    byId("decided").setAttribute("aria-label", gettext("Rulings about this game"));
  }
}
