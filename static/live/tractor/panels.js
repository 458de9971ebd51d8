// What the player can do now, as buttons: shows and the pass, burying, playing, the end of the game.
import { waitWords } from "../beacon.js";
import { all, el, isSeat, say, swapChildren, the } from "../dom.js";
import { fill, gettext, ngettext } from "../i18n.js";
import { seatsOf, teamWords } from "../names.js";
import { icon, marbleIcon } from "../pieces.js";
import { reasonWords } from "../results.js";
import { cardlet, rankWords, showWords } from "./cards.js";
import { rankOfRound } from "./order.js";
import { buryWords, choiceWords, playWords } from "./words.js";
/** @import { Boot } from "../types.js" */
/** @import { Player } from "./player.js" */
/** @import { TractorSituation, TractorView } from "./types.js" */

const SHOWN = ["S", "H", "C", "D"];
/** @param {string} text */
const note = (text) => el("p", { class: "hint" }, text);
/** @param {string} text @param {() => void} press @param {string} [key] */
const main = (text, press, key = "main") =>
  el(
    "button",
    { type: "button", class: "button primary big give", "data-key": key, onclick: press },
    el("span", {}, text),
  );

/** A button that does nothing now keeps the keyboard. @param {HTMLElement} button @param {boolean} on */
const enable = (button, on) => (button.ariaDisabled = on ? null : "true");

export class Panels {
  /** @param {HTMLElement} box @param {Player} player what the buttons call */
  constructor(box, player) {
    this.box = box;
    this.player = player;
    this.kind = "";
  }

  /** @param {TractorSituation} state {boot, company, view, choice, mine, may, busy, stopped, seated, sheet} */
  show(state) {
    const { view, seated } = state;
    const kind = this.kindOf(state);
    const key = JSON.stringify([
      kind,
      kind === "show" ? rankOfRound(view) : "",
      kind === "seating" ? [view.ready, view.beacon] : "",
      kind === "over" ? view.result : "",
    ]);
    if (key !== this.kind) {
      this.kind = key;
      swapChildren(this.box, this.build(kind, state));
      this.box.classList.toggle("stick", kind === "cards");
    }
    if (!seated) return;
    if (kind === "show") this.updateShows(state);
    else if (kind === "cards") this.updateCards(state);
    // One stop of the Tab key: where the keyboard is, or the first button that does something.
    /** @param {string} which */
    const find = (which) => this.box.querySelector(`button:not([hidden])${which}`);
    const stop = find(":not([aria-disabled]):focus") ?? find(":not([aria-disabled])") ?? find("");
    for (const button of this.box.querySelectorAll("button")) button.tabIndex = button === stop ? 0 : -1;
  }

  /** @param {TractorSituation} state */
  kindOf({ view, seated, mine }) {
    if (view.phase === "seating" || view.phase === "over") return view.phase;
    if (!seated) return "";
    if (view.phase === "draw" || view.phase === "show") return "show";
    return view.phase === "play" || mine ? "cards" : "";
  }

  /** @param {string} kind @param {TractorSituation} state */
  build(kind, state) {
    if (kind === "seating") return this.seating(state);
    if (kind === "over") return this.over(state);
    if (kind === "show") return this.shows(state);
    if (kind === "cards") {
      return [
        el("p", { class: "hint", id: "shape", role: "status" }),
        el("button", {
          type: "button",
          class: "button primary big give",
          id: "go",
          "data-key": "go",
          "aria-describedby": "shape",
          onclick: () => this.player.go(),
        }),
        el(
          "button",
          {
            type: "button",
            class: "button on-felt big",
            id: "clear",
            "data-key": "clear",
            onclick: () => {
              the(this.box, "#go").focus(); // the button pressed goes away
              this.player.cancel();
            },
          },
          gettext("Choose none"),
        ),
      ];
    }
    return [];
  }

  /** Every show that the rank allows, in columns of suits; the pass. @param {TractorSituation} state */
  shows({ view }) {
    const rank = rankOfRound(view);
    /** @param {string[]} cards */
    const button = (cards) =>
      el(
        "button",
        {
          type: "button",
          class: "button on-felt show",
          "data-key": `show:${cards.join(" ")}`,
          "data-show": cards.join(" "),
          "aria-label": fill(gettext("Show %(cards)s"), { cards: showWords(cards) }),
          onclick: () => this.player.show(cards.join(" ")),
        },
        cardlet(cards[0]),
        cards.length > 1 ? "×2" : "",
      );
    const suits = SHOWN.map((suit) => `${rank}${suit}`);
    const jokers = ["BJ", "RJ"].map((joker) => button([joker, joker]));
    return [
      el("p", { class: "hint", id: "shape" }),
      el(
        "div",
        { class: "tractor-shows", role: "group", "aria-label": gettext("Show trumps") },
        suits.map((card) => button([card])),
        suits.map((card) => button([card, card])),
        jokers,
      ),
      el(
        "button",
        {
          type: "button",
          class: "button on-felt big give",
          id: "pass",
          "data-key": "pass",
          onclick: () => this.player.pass(),
        },
        gettext("Pass"),
      ),
    ];
  }

  /** A show's button can be pressed exactly when its line is among the legal ones. @param {TractorSituation} state */
  updateShows({ view, company, busy, stopped }) {
    const { offers } = this.player;
    for (const button of all(this.box, "[data-show]"))
      enable(button, offers.has(`show ${company.me}: ${button.dataset.show}`));
    const pass = the(this.box, "#pass");
    enable(pass, offers.has(`pass ${company.me}`));
    pass.classList.toggle("primary", view.phase === "show"); // before the last card it is rarely what one wants
    pass.classList.toggle("on-felt", view.phase !== "show");
    let text = gettext("Show a card of the rank, two equal ones, or two equal jokers (no trump).");
    if (stopped) text = gettext("Nothing can be played until the clocks run again; nothing is lost.");
    else if (busy) text = gettext("Sent. Waiting for the table…");
    else if (view.passed?.includes(company.me ?? -1))
      text = gettext("You have passed. You may still show while the others decide.");
    say(this.box.querySelector("#shape"), text);
  }

  /** @param {TractorSituation} state */
  updateCards({ view, choice, mine, may, busy, stopped, sheet }) {
    const { cards } = choice;
    const button = the(this.box, "#go");
    const burying = view.phase === "bury";
    let text = burying ? buryWords(cards, sheet.talon) : choiceWords(choice);
    let on = mine && may && cards.length > 0;
    let label = burying
      ? fill(ngettext("Bury %(count)s card", "Bury %(count)s cards", sheet.talon), { count: sheet.talon })
      : playWords(choice);
    if (!mine && !cards.length) label = gettext("Wait for your turn");
    if (!mine && cards.length) text = fill(gettext("Chosen ahead: %(choice)s"), { choice: text });
    if (stopped) text = gettext("Nothing can be played until the clocks run again; nothing is lost.");
    else if (busy && mine) {
      text = gettext("Sent. Waiting for the table…");
      on = false;
    }
    say(button, label);
    enable(button, on);
    // A choice that is plainly wrong can still be pressed: that says which rule it breaks.
    button.classList.toggle("wrong", on && Boolean(this.player.wrong()));
    say(this.box.querySelector("#shape"), text);
    the(this.box, "#clear").hidden = !cards.length;
  }

  /** @param {TractorSituation} state */
  seating({ boot, view }) {
    const waits = waitWords(view);
    if (waits) return [note(waits)];
    if (boot.seat === null || boot.seat === undefined)
      return [note(gettext("The game begins when everybody is ready."))];
    if (view.ready?.[boot.seat]) return [note(gettext("You are ready. The game begins when everybody is."))];
    return [main(gettext("I am ready"), () => this.player.ready(), "ready")];
  }

  /** @param {TractorSituation} state */
  over({ boot, view }) {
    const links = [];
    if (!boot.replay)
      links.push(
        el(
          "a",
          {
            class: "button primary big",
            href: (boot.replay_url ?? `/games/${view.game}/`).replace(boot.game, view.game),
            "data-key": "replay",
          },
          icon("play"),
          gettext("See the game again"),
        ),
      );
    if (boot.again)
      links.push(
        el(
          "button",
          { type: "button", class: "button on-felt big", "data-key": "again", onclick: () => this.player.again() },
          gettext("Play again"),
        ),
      );
    if (boot.back_name)
      links.push(el("a", { class: "button on-felt big", href: boot.back, "data-key": "back" }, boot.back_name));
    const reason = reasonWords(boot, view);
    return [
      el(
        "section",
        { class: "result", "aria-label": gettext("Result") },
        reason ? el("p", {}, reason) : "",
        el("ul", {}, standing(boot, view)),
        el("div", { class: "row" }, links),
      ),
    ];
  }
}

/**
 * The teams as they ended: the rank reached, the points made as opponents.
 * @param {Boot} boot @param {TractorView} view
 */
function standing(boot, view) {
  const ranks = view.result?.ranks ?? [];
  return [0, 1]
    .sort((a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0) || a - b)
    .map((team) => {
      const seats = seatsOf(boot, team);
      const points = view.points?.[team] ?? 0;
      const count = fill(ngettext("%(count)s point as opponents", "%(count)s points as opponents", points), {
        count: points,
      });
      return el(
        "li",
        {
          class:
            [ranks[team] === 0 && "winner", isSeat(boot.seat) && seats.includes(boot.seat) && "mine"]
              .filter(Boolean)
              .join(" ") || undefined,
        },
        el(
          "span",
          { class: "row" },
          seats.map((seat) => marbleIcon(seat, 26)),
        ),
        el("span", {}, teamWords(boot, team)),
        el("b", {}, rankWords(view.ranks?.[team] ?? "2"), el("small", {}, ` ${count}`)),
      );
    });
}
