// The middle of the table: the line of trumps and points, the trick on the oval, what is shown, what failed.
import { byId, el, say, swapChildren } from "../dom.js";
import { fill, gettext, ngettext, pgettext } from "../i18n.js";
import { capital, shortNames } from "../names.js";
import { marbleIcon, suitIcon } from "../pieces.js";
import { card, cardsWords, rankWords, trumpWords } from "./cards.js";
import { failedWords } from "./telling.js";
/** @import { Child } from "../dom.js" */
/** @import { Boot } from "../types.js" */
/** @import { TractorSheet, TractorView, Trick } from "./types.js" */

const PLACES = ["s", "e", "n", "w"]; // the own seat at the bottom, the next one on its right: counter-clockwise

/** The seat at each place of the oval. @param {number} seats @param {number} own */
export const placesOf = (seats, own) => PLACES.map((place, i) => ({ place, seat: (own + i) % seats }));

/** The opponents' points so far: captures, and penalties both ways. @param {TractorView} view */
export function pointsOf(view) {
  const { declarers, captured, paid } = view;
  if (declarers === undefined || !captured || !paid) return undefined;
  const opponents = 1 - declarers;
  return captured[opponents] + paid[declarers] - paid[opponents];
}

/**
 * A trick on the table, cards by seat.
 * @typedef {{cards: Map<number, string[]>, best?: number, done: boolean, points?: number}} Lying
 */

/**
 * The trick that lies on the table: the running one, or the last one until the next lead.
 * @param {TractorView} view @returns {Lying | null}
 */
export function trickOf(view) {
  /** @param {string[][]} plays @param {number} leader */
  const bySeat = (plays, leader) => new Map(plays.map((play, i) => [(leader + i) % view.seats, play]));
  if (view.phase === "play" && view.trick?.length) {
    return { cards: bySeat(view.trick, view.leader ?? 0), best: view.best, done: false, points: undefined };
  }
  if (!view.last || !["play", "deck", "over"].includes(view.phase)) return null;
  const { plays, leader, winner, points } = view.last;
  return { cards: bySeat(plays, leader), best: winner, done: true, points };
}

export class Felt {
  /** @param {Boot} boot @param {TractorSheet} sheet */
  constructor(boot, sheet) {
    this.boot = boot;
    this.sheet = sheet;
    this.names = shortNames(boot.names);
    this.own = boot.seat ?? 0;
    /** @type {{[id: string]: string}} what each part says, by id */
    this.keys = {};
  }

  /**
   * Fill a part of the page only when it says something new.
   * @param {string} id @param {unknown} key @param {() => Child[]} build
   */
  fresh(id, key, build) {
    const text = JSON.stringify(key);
    if (this.keys[id] === text) return;
    this.keys[id] = text;
    swapChildren(byId(id), build());
  }

  /** @param {TractorView} view @param {number[] | undefined} tricks of each team in this round, where they are known */
  show(view, tricks) {
    this.fresh("score", [view.trump, view.ranks, view.declarers, view.round, view.rounds, pointsOf(view), tricks], () =>
      this.score(view, tricks),
    );
    const oval = byId("trick");
    for (const [i, cell] of this.oval(view).entries()) renew(oval.children[i], cell);
    oval.hidden = view.phase === "seating";
    const { failed } = view;
    byId("failed").hidden = !failed || view.phase !== "play";
    if (failed) say(byId("failed"), failedWords(view.trick?.[0] ?? [], failed.back, failed.paid));
    byId("last-trick").hidden = !view.last;
  }

  /** @param {TractorView} view @param {number[] | undefined} tricks */
  score(view, tricks) {
    /** @param {string} title @param {...Child} content */
    const item = (title, ...content) => el("div", {}, el("dt", {}, title), el("dd", {}, ...content));
    const parts = [];
    if (view.trump) {
      const { suit, rank } = view.trump;
      parts.push(
        item(
          gettext("Trumps"),
          ...(suit
            ? [suitIcon(suit, 22), el("span", {}, rank)]
            : [el("span", { class: "small" }, pgettext("trumps", "none"))]),
          el("span", { class: "visually-hidden" }, ` ${trumpWords(view.trump)}`),
        ),
      );
    }
    const points = pointsOf(view);
    if (points !== undefined) {
      parts.push(
        item(
          pgettext("tractor", "Opponents"),
          el("span", {}, String(points)),
          el("small", {}, ` ${fill(gettext("of %(count)s"), { count: this.sheet.take_over })}`),
        ),
      );
    }
    if (tricks && view.trump && view.declarers !== undefined) {
      const [mine, theirs] = [tricks[view.declarers], tricks[1 - view.declarers]];
      parts.push(
        item(
          gettext("Tricks"),
          el("span", { "aria-hidden": "true" }, `${mine} – ${theirs}`),
          el(
            "span",
            { class: "visually-hidden" },
            fill(gettext("declarers %(declarers)s, opponents %(opponents)s"), { declarers: mine, opponents: theirs }),
          ),
        ),
      );
    }
    if (view.ranks) {
      const letters = ["A · C", "B · D"];
      parts.push(
        item(
          gettext("Ranks"),
          ...view.ranks.map((rank, team) =>
            el(
              "span",
              { class: "team-rank" },
              el("small", {}, letters[team]),
              ` ${rank === "won" ? rankWords(rank) : rank}`,
            ),
          ),
        ),
      );
    }
    if (view.round)
      parts.push(
        item(
          pgettext("tractor", "Round"),
          el("span", {}, String(view.round)),
          view.rounds ? el("small", {}, ` ${fill(gettext("of %(count)s"), { count: view.rounds })}`) : "",
        ),
      );
    return parts;
  }

  /** @param {TractorView} view */
  oval(view) {
    const trick = trickOf(view);
    const cells = placesOf(view.seats, this.own).map(({ place, seat }) => this.cell(view, trick, place, seat));
    return [...cells, el("div", { class: "trick-middle" }, el("div", {}, this.middle(view, trick)))];
  }

  /** @param {TractorView} view @param {Lying | null} trick @param {string} place @param {number} seat */
  cell(view, trick, place, seat) {
    const cards = trick?.cards.get(seat) ?? this.shownBy(view, seat);
    const wins = trick?.best === seat;
    const name = seat === this.boot.seat ? capital(gettext("You")) : this.names[seat];
    const waits = !cards.length && this.waits(view, seat);
    const inside = cards.length
      ? laid(cards)
      : el("div", { class: "trick-cards" }, waits ? el("span", { class: "wait" }, waits) : "");
    return el(
      "div",
      { class: `trick-place trick-place-${place}${wins ? " win" : ""}`, "data-seat": seat },
      inside,
      el(
        "span",
        { class: "trick-label" },
        marbleIcon(seat, 18),
        el("span", {}, this.under(view, trick, seat, name, wins)),
      ),
    );
  }

  /** @param {TractorView} view @param {number} seat */
  shownBy(view, seat) {
    const open = view.phase === "draw" || view.phase === "show" || view.phase === "bury";
    return open && view.show?.seat === seat ? view.show.cards : [];
  }

  /** @param {TractorView} view @param {number} seat */
  waits(view, seat) {
    if (view.phase === "play" && view.turn === seat) return gettext("to play");
    if (view.phase === "bury" && view.turn === seat) return gettext("buries");
    if (view.phase === "draw" || view.phase === "show")
      return view.passed?.includes(seat) ? pgettext("tractor", "passes") : "";
    return "";
  }

  /**
   * @param {TractorView} view
   * @param {Lying | null} trick
   * @param {number} seat
   * @param {string} name
   * @param {boolean} wins
   */
  under(view, trick, seat, name, wins) {
    if (wins && trick?.done) return fill(gettext("%(name)s: won the trick"), { name });
    if (wins) return fill(gettext("%(name)s: winning"), { name });
    if (this.shownBy(view, seat).length) return fill(gettext("%(name)s: shows"), { name });
    return name;
  }

  /** @param {TractorView} view @param {Lying | null} trick */
  middle(view, trick) {
    const said = [];
    if (view.phase === "draw")
      said.push(
        el(
          "p",
          { class: "trick-big" },
          fill(ngettext("%(count)s card to draw", "%(count)s cards to draw", view.left ?? 0), {
            count: view.left ?? 0,
          }),
        ),
      );
    if ((view.phase === "draw" || view.phase === "show") && !view.show)
      said.push(el("p", {}, gettext("Nobody has shown yet")));
    if (view.phase === "bury" && view.turned)
      said.push(el("p", {}, gettext("The talon was turned")), laid(view.turned));
    if (trick?.done && trick.points !== undefined)
      said.push(
        el(
          "p",
          { class: "trick-big" },
          fill(ngettext("%(count)s point", "%(count)s points", trick.points), { count: trick.points }),
        ),
      );
    said.push(
      el("p", { class: "rotation" }, gettext("counter-clockwise"), el("span", { "aria-hidden": "true" }, " ↺")),
    );
    return said;
  }
}

/** Cards put in again would come in again. @param {Element} old @param {Element} cell */
function renew(old, cell) {
  old.className = cell.className;
  for (const [i, part] of [...cell.children].entries()) {
    if (!part.isEqualNode(old.children[i])) old.children[i].replaceWith(part);
  }
}

/** Cards that lie side by side, as one picture with their words. @param {string[]} cards */
const laid = (cards) =>
  el(
    "div",
    { class: "trick-cards", role: "img", "aria-label": cardsWords(cards) },
    cards.map((name) => el("span", { class: "trick-card" }, card(name))),
  );

/** The last trick once more, in a dialog. @param {TractorView} view @param {string[]} names */
export function showLast(view, names) {
  if (!view.last) return;
  const dialog = /** @type {HTMLDialogElement} */ (byId("dialog"));
  const { points } = view.last;
  swapChildren(dialog, [
    el("h2", { id: "dialog-title" }, gettext("The last trick")),
    el("ol", { class: "tractor-last-trick" }, lastRows(view.last, view.seats, names)),
    el("p", {}, fill(ngettext("%(count)s point", "%(count)s points", points), { count: points })),
    el(
      "div",
      { class: "row dialog-row" },
      el(
        "button",
        { type: "button", class: "button", autofocus: true, onclick: () => dialog.close() },
        gettext("Back to the game"),
      ),
    ),
  ]);
  dialog.showModal();
}

/** @param {Trick} last @param {number} seats @param {string[]} names */
const lastRows = (last, seats, names) =>
  last.plays.map((play, i) => {
    const seat = (last.leader + i) % seats;
    const won = seat === last.winner;
    return el(
      "li",
      { class: won ? "win" : undefined },
      marbleIcon(seat, 24),
      el("span", {}, el("b", {}, names[seat]), won ? ` · ${gettext("won the trick")}` : ""),
      laid(play),
    );
  });

/** What the bar under the table's name says. @param {TractorView} view */
export const subWords = (view) =>
  view.trump
    ? fill(gettext("Round %(round)s · %(trumps)s"), { round: view.round, trumps: trumpWords(view.trump) })
    : fill(gettext("Round %(round)s"), { round: view.round ?? 1 });
