// The own hand: groups by effective suit, trumps first; every card is a button that chooses it.
import { all, el, swapChildren, targetOf } from "../dom.js";
import { fill, gettext } from "../i18n.js";
import { capital } from "../names.js";
import { card, handWords, suitWords } from "./cards.js";
import { groupsOf } from "./order.js";
import { counted } from "./shapes.js";
/** @import { Order } from "./types.js" */

const DEALT = 25; // cards of a hand without the talon

/**
 * @typedef {object} HandState
 * @property {string[]} cards
 * @property {Order} order
 * @property {Set<string>} chosen
 * @property {boolean} may        cards may be chosen
 * @property {string} follow      the suit to follow
 * @property {boolean} only       no other card may be played
 * @property {string[]} [talon]   cards just taken up
 * @property {boolean} [drawing]  cards come in
 */

export class Hand {
  /** @param {HTMLElement} box @param {{toggle: (key: string) => void}} player */
  constructor(box, player) {
    this.box = box;
    this.player = player;
    this.shown = "";
    /** @type {string[] | null} */
    this.held = null;
    box.addEventListener("click", (event) => {
      const button = /** @type {HTMLButtonElement | null | undefined} */ (
        targetOf(event)?.closest("button[data-card]")
      );
      if (button) player.toggle(`${button.dataset.card}#${button.dataset.copy}`);
    });
  }

  /** @param {HandState} state */
  show(state) {
    const { cards, order, chosen, may, follow, only, talon = [] } = state;
    const key = JSON.stringify([cards, order.rank, order.suit, may, follow, only, talon, Boolean(state.drawing)]);
    if (key !== this.shown) {
      this.shown = key;
      this.build(state);
    }
    for (const button of this.box.querySelectorAll("button")) {
      const up = chosen.has(`${button.dataset.card}#${button.dataset.copy}`);
      button.setAttribute("aria-pressed", String(up));
      button.parentElement?.classList.toggle("raised", up);
    }
  }

  /** @param {HandState} state */
  build({ cards, order, may, follow, only, talon, drawing }) {
    const here = document.activeElement;
    const focused = here instanceof HTMLElement && this.box.contains(here) ? here.dataset : null;
    const fresh = drawing && this.held ? drawnSince(this.held, cards) : "";
    const taken = counted(talon ?? []);
    this.held = cards;
    const groups = groupsOf(order, cards).map(({ suit, cards: held }) => {
      // One stop of the Tab key per group.
      const items = held.map((name, i) => {
        const copy = Number(held.indexOf(name) < i); // two packs
        const isNew = name === fresh && i === held.lastIndexOf(name);
        const fromTalon = (taken.get(name) ?? 0) > copy;
        const words = handWords(name, order);
        return el(
          "li",
          { class: [isNew && "fresh", fromTalon && "talon"].filter(Boolean).join(" ") || undefined },
          el(
            "button",
            {
              type: "button",
              "data-card": name,
              "data-copy": copy,
              "aria-pressed": "false",
              "aria-disabled": may ? undefined : "true",
              "aria-label": fromTalon ? fill(gettext("%(card)s, from the talon"), { card: words }) : words,
              tabindex: i ? "-1" : "0",
            },
            card(name),
          ),
        );
      });
      const ok = suit === follow;
      return el(
        "section",
        {
          class: ["tractor-group", ok && "playable", only && !ok && "dim"].filter(Boolean).join(" "),
          "data-suit": suit,
        },
        el(
          "h2",
          {},
          capital(suitWords(suit)),
          " ",
          el("small", {}, String(held.length)),
          ok ? el("span", { class: "tractor-follow" }, ` · ${gettext("to follow")}`) : "",
        ),
        el("ul", { class: "tractor-cards" }, items),
      );
    });
    swapChildren(this.box, groups);
    // A hand with the talon in it takes a row more on a phone.
    this.box.closest(".table-page")?.classList.toggle("talon-held", cards.length > DEALT);
    if (focused) this.refocus(focused);
  }

  /** The keyboard stays on its card, or on one beside it. @param {DOMStringMap} state */
  refocus({ card: name, copy }) {
    const [first, second, last] = [`[data-card="${name}"][data-copy="${copy}"]`, `[data-card="${name}"]`, ""].map(
      (which) => all(this.box, `button${which}`)[0],
    );
    const again = first ?? second ?? last;
    again?.focus({ preventScroll: true });
  }

  /** The buttons on display, by group. @returns {HTMLElement[][]} */
  groups() {
    return all(this.box, ".tractor-group")
      .map((group) => [...group.querySelectorAll("button")])
      .filter(([first]) => first?.offsetParent);
  }
}

/**
 * The one card that a hand holds more than before, "" when there are several.
 * @param {string[]} before @param {string[]} now
 */
function drawnSince(before, now) {
  const old = counted(before);
  const more = [...counted(now)].filter(([card, count]) => count > (old.get(card) ?? 0));
  return now.length === before.length + 1 && more.length === 1 ? more[0][0] : "";
}
