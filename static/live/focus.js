// Where the keyboard is at the table: kept when the buttons change, moved on when the game does.
import * as choose from "./choose.js";
import { all, byId, targetOf } from "./dom.js";
import { listenKeys } from "./keys.js";

export class Focus {
  /** @param {import("./table.js").Table} table */
  constructor(table) {
    this.table = table;
    this.keysUsed = false;
    this.inGame = false;
    this.stage = "";
    this.listen();
  }

  /** Put new choices in place without losing the keyboard's place. @param {() => void} change */
  keep(change) {
    const box = byId("choices");
    const here = document.activeElement;
    const key = here instanceof HTMLElement && box.contains(here) ? here.dataset.key : undefined;
    change();
    const buttons = all(box, "[data-key]");
    for (const [i, node] of buttons.entries()) node.setAttribute("tabindex", i ? "-1" : "0");
    const again = key && buttons.find((node) => node.dataset.key === key);
    if (again) again.focus({ preventScroll: true });
    else if (this.keysUsed && this.inGame) this.follow(buttons);
    this.point(document.activeElement);
  }

  /** After a step by keyboard, the focus goes where the next step is taken. @param {HTMLElement[]} buttons */
  follow(buttons) {
    const { table } = this;
    const stage = table.seated && table.view.legal ? choose.stage(table.view, table.player.choice) : "wait";
    const lost = document.activeElement === document.body;
    if (!buttons.length && stage !== "card") return;
    if (stage === "card" && byId("hand").contains(document.activeElement)) return;
    if (stage === this.stage && !lost) return;
    if (!lost) this.stage = stage;
    if (["marble", "target", "confirm"].includes(stage)) buttons[0]?.focus({ preventScroll: true });
    else if (stage === "card")
      table.hand
        .focusables()
        .find((node) => !node.hasAttribute("aria-disabled"))
        ?.focus({ preventScroll: true });
  }

  /** What the pointer or the keyboard is on is shown on the board too. @param {EventTarget | null} node */
  point(node) {
    const keyed = node instanceof Element ? node.closest("[data-key]") : null;
    this.table.board.point(keyed?.getAttribute("data-key") ?? undefined);
  }

  listen() {
    const { table } = this;
    const game = byId("board").parentElement;
    addEventListener("keydown", () => (this.keysUsed = true), true);
    addEventListener("focusin", (event) => (this.inGame = Boolean(game?.contains(targetOf(event)))), true);
    addEventListener("pointerdown", () => (this.keysUsed = false), true);
    listenKeys(byId("table"), {
      groups: () => [table.hand.focusables(), all(byId("choices"), "[data-key]"), table.board.focusables()],
      cancel: () => table.cancel(),
      point: (node) => this.point(node),
    });
    byId("choices").addEventListener("pointerover", (event) => this.point(event.target));
    byId("choices").addEventListener("pointerleave", () => this.point(null));
  }
}
