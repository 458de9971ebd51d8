// The list of seats: who sits there, whose turn it is, cards held, clock.
import { bankLeft, minutes } from "./clock.js";
import { el, say, swapChildren } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";
import { alone, capital, shortNames } from "./names.js";
import { icon, letterOf, marbleIcon } from "./pieces.js";
/** @import { Boot, Clocks, View, Who } from "./types.js" */

/** @type {{[level: string]: () => string}} */
const LEVELS = {
  random: () => gettext("Bot, at random"),
  novice: () => gettext("Bot, beginner"),
  club: () => gettext("Bot, club level"),
  master: () => gettext("Bot, master"),
};

/**
 * The nodes of a seat's row.
 * @typedef {Record<"item" | "name" | "owed" | "state" | "sub" | "clock" | "hand", HTMLElement>} Row
 */

/**
 * A seat that does not play as the others do. `off`: it sits the turn out.
 * @typedef {{sign: string, words: string, off?: boolean}} Standing
 */

/** @template {View} [V=View] what a game's own list reads */
export class Seats {
  /** @param {HTMLElement} list @param {Boot} boot */
  constructor(list, boot) {
    this.list = list;
    this.boot = boot;
    /** @type {Who[]} */
    this.who = boot.names.map((_, seat) => (boot.bots?.[seat] ? { bot: boot.bots[seat] } : {}));
    /** @type {Row[]} */
    this.rows = [];
    /** @type {HTMLElement[]} by team: games won, and what else stands beside its name */
    this.won = [];
    this.build();
  }

  build() {
    const { boot } = this;
    /** @type {number[][]} */
    const teams = Array.from({ length: boot.teams }, () => []);
    for (let seat = 0; seat < boot.seats; seat += 1) teams[seat % boot.teams].push(seat);
    const mine = boot.seat === null || boot.seat === undefined ? 0 : boot.seat % boot.teams;
    const order = [...teams.slice(mine), ...teams.slice(0, mine)];
    const items = alone(boot) ? [el("li", { class: "team-heading" }, el("span", {}, gettext("Each for oneself")))] : [];
    for (const seats of order) {
      const team = seats[0] % boot.teams;
      const letters = seats.map((seat) => letterOf(seat).toUpperCase()).join(" · ");
      const name = boot.team_names?.[team];
      const won = el("span", { class: "won" });
      this.won[team] = won;
      if (!alone(boot)) {
        items.push(
          el(
            "li",
            { class: "team-heading" },
            el("span", {}, name ? `${name} (${letters})` : fill(gettext("Team %(letters)s"), { letters })),
            won,
          ),
        );
      }
      for (const seat of seats) items.push(this.row(seat));
    }
    swapChildren(this.list, items);
  }

  /** @param {number} seat */
  row(seat) {
    const name = this.boot.names[seat] ?? "";
    const first = shortNames(this.boot.names)[seat] ?? "";
    const rest = name.slice(first.length);
    const owed = el("span", { class: "owed", hidden: true });
    const state = el("span", { class: "seat-state", hidden: true });
    const parts = {
      name: el(
        "span",
        { class: "seat-name" },
        first,
        rest ? el("span", { class: "last-name" }, rest) : "",
        state,
        owed,
      ),
      owed,
      state,
      sub: el("span", { class: "seat-role" }),
      clock: el("span", { class: "clock" }),
      hand: el("span", { class: "cards-left" }),
      item: el("li", { class: "seat" }),
    };
    parts.item.append(marbleIcon(seat, 34), parts.name, parts.sub, parts.clock, parts.hand);
    const { boot } = this;
    if (seat === boot.seat) parts.item.classList.add("viewer");
    else if (this.mate(seat)) parts.item.classList.add("mate");
    this.rows[seat] = parts;
    return parts.item;
  }

  /** Does the seat play with the reader's own? @param {number} seat */
  mate(seat) {
    const { boot } = this;
    return (
      boot.seat !== null &&
      boot.seat !== undefined &&
      seat !== boot.seat &&
      seat % boot.teams === boot.seat % boot.teams
    );
  }

  /** A `who` frame: presence. @param {Who[]} seats */
  present(seats) {
    this.who = seats;
  }

  /** @param {V} view @param {Set<number>} deciding */
  show(view, deciding) {
    const { boot } = this;
    for (const [seat, parts] of this.rows.entries()) {
      const on = deciding.has(seat);
      parts.item.classList.toggle("active", on);
      if (on) parts.item.setAttribute("aria-current", "true");
      else parts.item.removeAttribute("aria-current");
      const who = this.who[seat] ?? {};
      const said = [];
      if (seat === boot.seat) said.push(gettext("You"));
      else if (this.mate(seat)) said.push(gettext("Your partner"));
      if (who.bot) said.push((LEVELS[who.bot] ?? LEVELS.club)());
      if (view.phase === "seating") said.push(view.ready?.[seat] ? gettext("ready") : gettext("not ready yet"));
      else said.push(...this.doing(view, seat));
      const state = this.standing(view, seat);
      if (state && seat !== boot.seat) said.push(state.words);
      this.stands(parts, state);
      if (who.online === false && !who.bot) said.push(gettext("away"));
      const penalties = view.owed?.[seat] ?? 0;
      if (penalties)
        said.push(fill(ngettext("owes %(count)s turn", "owes %(count)s turns", penalties), { count: penalties }));
      this.owes(parts.owed, penalties);
      say(parts.sub, capital(said.join(", ")));
      parts.item.classList.toggle("away", who.online === false && !who.bot);
      parts.item.classList.toggle("set", view.phase === "seating" && Boolean(view.ready?.[seat]));
      this.cards(parts.hand, view.phase === "seating" ? 0 : (view.count?.[seat] ?? 0));
    }
    for (const [team, node] of this.won.entries()) {
      say(node, this.beside(view, team));
    }
  }

  /**
   * What the seat is and does, in a few words each: a game's own list adds it.
   * @param {V} _view @param {number} _seat @returns {string[]}
   */
  doing(_view, _seat) {
    return [];
  }

  /**
   * A seat that does not play as the others do, for a game's own list: a word, and a sign for narrow screens.
   * @param {V} _view @param {number} _seat @returns {Standing | null}
   */
  standing(_view, _seat) {
    return null;
  }

  /** What stands beside a team's name. @param {V} view @param {number} team */
  beside(view, team) {
    const wins = view.games?.wins?.[team];
    return wins === undefined ? "" : fill(ngettext("%(count)s game", "%(count)s games", wins), { count: wins });
  }

  /** @param {Row} state @param {Standing | null} what */
  stands({ item, state }, what) {
    item.classList.toggle("sits", Boolean(what?.off));
    const key = what ? `${what.sign} ${what.words}` : "";
    if (state.dataset.key === key) return;
    state.dataset.key = key;
    state.hidden = !what;
    swapChildren(
      state,
      what
        ? [el("span", { "aria-hidden": "true" }, what.sign), el("span", { class: "visually-hidden" }, ` ${what.words}`)]
        : [],
    );
  }

  /**
   * Turns owed to a penalty, beside the name: the line under it is not shown on a phone.
   * @param {HTMLElement} node @param {number} count
   */
  owes(node, count) {
    if (node.dataset.count === String(count)) return;
    node.dataset.count = String(count);
    node.hidden = !count;
    const words = fill(
      ngettext("owes %(count)s turn: talking penalty", "owes %(count)s turns: talking penalty", count),
      { count },
    );
    swapChildren(
      node,
      count
        ? [
            icon("whistle"),
            el("span", { "aria-hidden": "true" }, String(count)),
            el("span", { class: "visually-hidden" }, ` ${words}`),
          ]
        : [],
    );
  }

  /** @param {HTMLElement} node @param {number} count */
  cards(node, count) {
    if (node.dataset.count === String(count)) return;
    node.dataset.count = String(count);
    if (!count) {
      swapChildren(node);
      node.hidden = true;
      return;
    }
    node.hidden = false;
    const fan = el(
      "span",
      { class: "fan", "aria-hidden": "true" },
      Array.from({ length: Math.min(count, 5) }, () => el("i", {})),
    );
    swapChildren(
      node,
      fan,
      el("span", {}, String(count), el("span", { class: "visually-hidden" }, ` ${ngettext("card", "cards", count)}`)),
    );
  }

  /** Once a second and at every frame. @param {Clocks} clocks @param {number} now @param {string} phase */
  tick(clocks, now, phase) {
    for (const [seat, parts] of this.rows.entries()) {
      const left = bankLeft(clocks, seat, now, phase);
      say(parts.clock, left === undefined ? "" : minutes(left));
      parts.clock.classList.toggle("low", left !== undefined && left < 20000);
    }
  }
}
