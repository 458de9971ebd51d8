// The own hand: cards as buttons; a tap marks, a second one plays or lays; a card can also be dragged to the board.
import { cardWords, effectWords, rankOf, theCard } from "./cards.js";
import { el, swapChildren, targetOf } from "./dom.js";
import { fill, gettext } from "./i18n.js";
import { card, suitIcon } from "./pieces.js";
/** @import { Company } from "./types.js" */

const DRAG = 6; // px before a press becomes a drag

/**
 * @typedef {object} HandState
 * @property {string[]} cards
 * @property {Set<string>} open   cards that may be played, with the marble picked up if there is one
 * @property {Set<string>} playable   cards that may be played with any marble
 * @property {number} marked      index of the marked card or -1
 * @property {string} laid        the card at the centre
 * @property {boolean} active     it is this player's decision
 * @property {string} verb
 */

/**
 * What the hand asks of the player.
 * @typedef {object} HandPlayer
 * @property {(card: string, index: number) => void} mark
 * @property {(card: string) => void} press   the marked card, once more
 * @property {(card: string, index?: number) => void} lay
 * @property {(event: PointerEvent) => boolean} over
 */

export class Hand {
  /**
   * @param {HTMLElement} list
   * @param {Company} company
   * @param {HandPlayer} player
   */
  constructor(list, company, player) {
    this.list = list;
    this.company = company;
    this.player = player;
    this.shown = "";
    /** @type {HandState | undefined} */
    this.state = undefined;
    this.dragged = false;
    list.addEventListener("pointerdown", (event) => this.press(event));
  }

  /** @param {HandState} state */
  show(state) {
    const key = JSON.stringify({ ...state, open: [...state.open], playable: [...state.playable] });
    if (key === this.shown) return;
    this.shown = key;
    this.state = state;
    const here = document.activeElement;
    const focused = here instanceof HTMLElement && this.list.contains(here) ? here.dataset.index : undefined;
    let laid = state.laid;
    const items = state.cards.map((name, index) => {
      if (laid === name) {
        laid = "";
        return el("li", {}, el("div", { class: "laid" }, el("span", {}, ...this.laidWords(name))));
      }
      const open = state.open.has(name);
      const whole = state.verb === "throw"; // the hand is laid down as one
      const off = state.active && !open && !whole;
      const able = state.playable.has(name);
      const marked = index === state.marked || (whole && state.active);
      const effect = effectWords(this.company, name);
      const label = [
        cardWords(name),
        effect.replace("\n", ", "),
        off ? (able ? gettext("does not move that marble") : gettext("cannot be played now")) : "",
        marked ? gettext("chosen") : "",
      ];
      return el(
        "li",
        { class: [off ? "off" : "", marked ? "raised" : ""].join(" ").trim() || undefined },
        el(
          "button",
          {
            type: "button",
            "data-index": index,
            "data-card": name,
            "aria-pressed": marked ? "true" : "false",
            "aria-disabled": (off && !able) || whole || !state.active ? "true" : undefined,
            "aria-label": label.filter(Boolean).join(", "),
            tabindex: index === Math.max(0, state.marked) ? "0" : "-1",
            onclick: () => this.tap(name, index),
          },
          card(name, { effect }),
        ),
      );
    });
    this.list.classList.toggle("five", state.cards.length > 4);
    this.list.classList.toggle("whole", state.verb === "throw");
    this.list.classList.toggle("choosing", state.active && state.verb !== "throw");
    swapChildren(this.list, items);
    if (!this.list.querySelector("[tabindex='0']")) this.list.querySelector("button")?.setAttribute("tabindex", "0");
    if (focused !== undefined)
      /** @type {HTMLElement | null} */ (this.list.querySelector(`[data-index="${focused}"]`))?.focus({
        preventScroll: true,
      });
  }

  /** @param {string} name */
  laidWords(name) {
    const short = name === "JK" ? [gettext("joker")] : [rankOf(name), suitIcon(name.slice(-1), 14, "inline-suit")];
    // Translators: in the empty slot of a card that lies at the centre; %(card)s is drawn, for instance 10♠.
    const [before, after] = gettext("Your %(card)s is laid. It must be played.").split("%(card)s");
    // What follows the card without a space stays on its line.
    const [, close, rest] = /^(\S*)(.*)$/s.exec(after ?? "") ?? [];
    /** @param {string} [text] */
    const words = (text) => el("span", { class: "laid-words" }, text ?? "");
    return [words(before), el("span", { class: "unbroken" }, ...short, close), words(rest)];
  }

  /** @param {string} name @param {number} index */
  tap(name, index) {
    if (this.dragged) {
      this.dragged = false;
      return;
    }
    const { state } = this;
    if (!state?.active || state.verb === "throw") return;
    if (index === state.marked && state.open.has(name)) this.player.press(name);
    else this.player.mark(name, index);
  }

  focusables() {
    return [...this.list.querySelectorAll("button")];
  }

  /** @param {PointerEvent} event */
  press(event) {
    const button = targetOf(event)?.closest("button");
    if (!button || event.button || !this.state?.active || this.state.verb === "throw") return;
    const name = button.dataset.card ?? "";
    const start = { x: event.clientX, y: event.clientY };
    /** @type {HTMLElement | null} */
    let ghost = null;
    this.dragged = false;
    /** @param {PointerEvent} e */
    const move = (e) => {
      if (e.pointerId !== event.pointerId) return;
      const [dx, dy] = [e.clientX - start.x, e.clientY - start.y];
      if (!ghost && Math.hypot(dx, dy) > DRAG) {
        ghost = button;
        ghost.classList.add("dragged");
        document.body.classList.add("dragging-card");
      }
      if (ghost) ghost.style.transform = `translate(${dx}px, ${dy}px)`;
    };
    /** @param {PointerEvent} e */
    const up = (e) => {
      if (e.pointerId !== event.pointerId) return;
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", up);
      removeEventListener("pointercancel", up);
      if (!ghost) return;
      ghost.classList.remove("dragged");
      ghost.style.transform = "";
      document.body.classList.remove("dragging-card");
      this.dragged = true; // the click that follows is not a tap
      setTimeout(() => (this.dragged = false), 0);
      if (e.type === "pointerup" && this.player.over(e)) this.player.lay(name, Number(button.dataset.index));
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
  }
}

/** The words for burning or giving a card. @param {string} verb @param {string} name */
export function verbWords(verb, name) {
  // Translators: on buttons; %(card)s comes with its article, for instance "the king of spades".
  return fill(verb === "burn" ? gettext("Burn %(card)s") : gettext("Give %(card)s"), { card: theCard(name) });
}
