// The controls of a replay: forward and back, by itself, by keys; as whom it is seen; the link to the play shown.
import { pace } from "./chosen.js";
import { byId, el, say, swapChildren, targetOf } from "./dom.js";
import { fill, gettext } from "./i18n.js";
import { shortNames } from "./names.js";
/** @import { Boot } from "./types.js" */

const PACE = 1300; // ms from one play to the next while it runs by itself

/**
 * What the controls move.
 * @typedef {object} Played
 * @property {Boot} boot
 * @property {string} as     whose view is shown
 * @property {number} index  of the stop shown
 * @property {number[]} at   the steps a reader stops at
 * @property {number | undefined} seq   of the step shown
 * @property {(index: number, state?: {still?: boolean}) => void} go
 * @property {() => void} nextDeal
 * @property {() => void} load
 * @property {() => void} fromAddress
 */

export class Controls {
  /** @param {Played} played */
  constructor(played) {
    this.played = played;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.running = undefined;
  }

  start() {
    this.offerViews();
    this.listen();
  }

  /** Offer the seats, or all hands, as which this reader may see the replay. */
  offerViews() {
    const { played } = this;
    const names = shortNames(played.boot.names);
    /** @type {[string, string][]} */
    const seats = names.map((name, seat) => [
      `seat:${seat}`,
      fill(gettext("%(name)s (%(letter)s)"), { name, letter: "ABCDEFGH"[seat] }),
    ]);
    /** @type {[string, string][]} */
    const all = [
      ["spectator", gettext("A spectator")],
      ["all", gettext("All hands open")],
      ["referee", gettext("The referee")],
      ...seats,
    ];
    // Hands open with the end of the game; before it there is the spectators' view alone.
    const over = played.boot.snap.view.phase === "over";
    const allowed =
      played.boot.views ?? (over ? all.map(([value]) => value).filter((value) => value !== "referee") : ["spectator"]);
    if (!allowed.includes(played.as)) played.as = played.boot.as ?? "spectator";
    swapChildren(
      byId("as"),
      all
        .filter(([value]) => allowed.includes(value))
        .map(([value, text]) => el("option", { value, selected: value === played.as }, text)),
    );
  }

  /** Disable the buttons that lead nowhere from the stop shown. */
  settle() {
    const { index, at } = this.played;
    const [begins, ends] = [index === 0, index === at.length - 1];
    const off = { first: begins, prev: begins, next: ends, deal: ends };
    for (const [id, disabled] of Object.entries(off)) Object.assign(byId(id), { disabled });
  }

  /** Let it run by itself, or stop. @param {boolean} on */
  run(on) {
    clearInterval(this.running);
    this.running = on
      ? setInterval(() => {
          if (this.played.index >= this.played.at.length - 1) this.run(false);
          else this.played.go(this.played.index + 1);
        }, PACE / pace())
      : undefined;
    byId("play").setAttribute("aria-pressed", String(Boolean(on)));
    say(byId("play-words"), on ? gettext("Pause") : gettext("Play by itself"));
    byId("play").classList.toggle("runs", Boolean(on));
  }

  listen() {
    /** @param {string} id @param {() => void} act */
    const press = (id, act) => byId(id).addEventListener("click", act);
    press("first", () => this.played.go(0, { still: true }));
    press("prev", () => this.played.go(this.played.index - 1, { still: true }));
    press("next", () => this.played.go(this.played.index + 1));
    press("deal", () => this.played.nextDeal());
    press("play", () => this.run(!this.running));
    press("copy", () => this.copy());
    const as = /** @type {HTMLSelectElement} */ (byId("as"));
    as.addEventListener("change", () => {
      this.played.as = as.value;
      const url = new URL(location.href);
      url.searchParams.set("as", this.played.as);
      history.replaceState(null, "", url);
      this.played.load();
    });
    addEventListener("hashchange", () => this.played.fromAddress());
    document.addEventListener("keydown", (event) => {
      if (
        targetOf(event)?.closest("input, select, textarea, dialog, [role=slider]") ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey
      )
        return;
      if (event.key === "ArrowRight") this.played.go(this.played.index + 1);
      else if (event.key === "ArrowLeft") this.played.go(this.played.index - 1, { still: true });
      else return;
      event.preventDefault();
    });
  }

  async copy() {
    const url = new URL(location.href);
    url.searchParams.set("as", this.played.as);
    url.hash = String(this.played.seq ?? "");
    let done = gettext("Link copied");
    try {
      await navigator.clipboard.writeText(url.href);
    } catch {
      done = url.href; // no clipboard on plain http: the link itself, to be copied by hand
    }
    say(byId("copied"), done);
  }
}
