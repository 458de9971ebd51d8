// What lies around the game on the table page: strips, refusals, the command line, playing again, wake lock.
import { byId, el, isSeat, say, swapChildren } from "./dom.js";
import { fill, gettext } from "./i18n.js";
import { icon } from "./pieces.js";
/** @import { Boot, Doors, Texts, View } from "./types.js" */

const LISTED = 60; // legal plays proposed under the command line

/** @param {string} code */
function stripWords(code) {
  /** @type {Texts} */
  const words = {
    lost: gettext("Connection lost. Trying again…"),
    restart: gettext("The server restarts. One moment…"),
    offline: gettext("You are offline. Nothing is lost; the table goes on when you are back."),
    slow: gettext("No live line: the table follows a little later."),
    rate: gettext("Too many requests at once. Going on in a few seconds…"),
    signed_out: gettext("Your session has ended. Sign in again to go on."),
    gone: gettext("This table does not exist any more."),
    broken: gettext("This page no longer understands the table. Reload it."),
    other_tab: gettext("This seat is played in another window."),
    deploy: gettext("The server is about to restart. Your game is kept."),
    delay: gettext("The table is held up for a moment. Nothing is lost."),
  };
  return words[code];
}

/** The line in which plays are typed. @returns {HTMLInputElement} */
const commandLine = () => byId("cmd");

/** What is asked for here. @typedef {{resign: () => void, typed: (text: string) => boolean, here: () => void}} Acts */

export class Around {
  /** @param {Boot} boot @param {Doors} doors @param {Acts} player */
  constructor(boot, doors, player) {
    this.boot = boot;
    this.doors = doors;
    this.player = player;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    byId("cmd-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const line = commandLine();
      if (player.typed(line.value)) line.value = "";
    });
  }

  /**
   * The strip under the bar: the state of the line, or a note for `ms` milliseconds; "" takes it away.
   * @param {string} code @param {number} [ms]
   */
  strip(code, ms = 0) {
    const box = byId("strip");
    const text = stripWords(code) ?? "";
    clearTimeout(this.timer);
    box.hidden = !text;
    const link =
      code === "signed_out"
        ? el(
            "a",
            { class: "button", href: `/accounts/login/?next=${encodeURIComponent(location.pathname)}` },
            gettext("Sign in"),
          )
        : "";
    const reload =
      code === "broken"
        ? el("button", { type: "button", class: "button", onclick: () => this.doors.reload() }, gettext("Reload"))
        : "";
    const here =
      code === "other_tab"
        ? el("button", { type: "button", class: "button", onclick: () => this.here() }, gettext("Play here"))
        : "";
    swapChildren(box, text ? [icon("warn"), el("span", {}, text), link, reload, here] : []);
    if (text && ms) this.timer = setTimeout(() => this.strip(""), ms);
  }

  /** Take the seat over from another window. */
  here() {
    this.strip("");
    this.refused("");
    this.player.here();
  }

  /** Why something was refused, in a sentence over the choices; "" takes it away. @param {string} text */
  refused(text) {
    let box = document.getElementById("refused");
    if (!box) {
      box = el("p", { class: "refused", id: "refused", role: "alert" });
      byId("choices").before(box);
    }
    say(box, text);
    box.hidden = !text;
  }

  /** Everything here that follows the view. @param {View} view @param {boolean} seated */
  show(view, seated) {
    this.commandLine(view, seated);
    const quiet = [];
    const playing = view.phase !== "seating" && view.phase !== "over";
    if (view.games && view.games.best_of > 1)
      quiet.push(fill(gettext("Game %(number)s, best of %(best_of)s."), view.games));
    if (playing && view.deal !== undefined) quiet.push(fill(gettext("Deal %(deal)s of 3."), { deal: view.deal + 1 }));
    if (seated && view.phase !== "over" && this.boot.kind !== "practice")
      quiet.push(gettext("Silence between partners."));
    say(byId("quiet"), quiet.join(" "));
    const foot = byId("foot");
    const { seat, teams } = this.boot;
    const stays =
      seated && playing && !(isSeat(seat) && (view.finished?.includes(seat) || view.out?.includes(seat % teams)));
    const undo = document.getElementById("take-back");
    if (undo) undo.hidden = !stays;
    const on = String(stays);
    if (foot.dataset.on === on) return;
    foot.dataset.on = on;
    swapChildren(
      foot,
      stays
        ? el(
            "button",
            { type: "button", class: "button on-felt", id: "resign", onclick: () => this.askResign() },
            icon("flag"),
            gettext("Resign"),
          )
        : "",
    );
  }

  /** @param {View} view @param {boolean} seated */
  commandLine(view, seated) {
    const legal = view.legal ?? [];
    byId("writing").hidden = !seated || view.phase === "over";
    const line = commandLine();
    line.placeholder = legal[0] ?? this.boot.example ?? "9C t12-t21";
    line.disabled = !seated || !legal.length;
    const list = byId("cmd-list");
    const key = legal.join("|");
    if (list.dataset.key === key) return;
    list.dataset.key = key;
    swapChildren(
      list,
      legal.slice(0, LISTED).map((play) => el("option", { value: play })),
    );
  }

  /** Ask before resigning; loaded when it is asked for. */
  async askResign() {
    const { askResign } = await import("./resign.js");
    askResign(this.boot, () => this.player.resign());
  }

  /** Another practice game like this one. */
  again() {
    const form = el(
      "form",
      { method: "post", action: this.boot.again || "/practice/" },
      Object.entries({ csrfmiddlewaretoken: this.boot.csrf, ...this.boot.again_fields }).map(([name, value]) =>
        el("input", { type: "hidden", name, value }),
      ),
    );
    document.body.append(form);
    form.submit();
  }

  /** Keep the screen of a seated player lit. */
  stayAwake() {
    const lock = async () => {
      try {
        if (document.visibilityState === "visible") await navigator.wakeLock?.request("screen");
      } catch {
        // Not granted, for instance on a low battery.
      }
    };
    document.addEventListener("visibilitychange", lock);
    lock();
  }
}
