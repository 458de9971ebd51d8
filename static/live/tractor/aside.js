// Beside Tractor's table: what must be followed, the standing show, the talon, the round before.
import { el, swapChildren } from "../dom.js";
import { fill, gettext, ngettext } from "../i18n.js";
import { capital, shortNames } from "../names.js";
import { cardlet, cardsWords, showWords, trumpWords } from "./cards.js";
import { orderOf, pointsIn, sorted } from "./order.js";
import { climbWords } from "./telling.js";
import { owedWords } from "./words.js";
/** @import { Child } from "../dom.js" */
/** @import { Company } from "../types.js" */
/** @import { Owed, TractorSheet, TractorView } from "./types.js" */

/** @param {string} id @param {string} title @param {...Child} children */
const panel = (id, title, ...children) => el("section", { class: "side-panel", id }, el("h2", {}, title), ...children);
/** @param {string} text @param {string} [kind] */
const para = (text, kind = "small") => el("p", { class: kind }, text);
/** @param {string[]} cards */
const row = (cards) => el("p", { class: "cardlets", role: "img", "aria-label": cardsWords(cards) }, cards.map(cardlet));

/** @param {Company} company @param {TractorView} view */
function showing(company, view) {
  const names = shortNames(company.names);
  const open = view.phase === "draw" || view.phase === "show";
  if (!open && !(view.phase === "bury" && view.show)) return null;
  const text = view.show
    ? fill(gettext("%(name)s shows %(cards)s."), { name: names[view.show.seat], cards: showWords(view.show.cards) })
    : gettext("Nobody has shown yet.");
  return panel(
    "standing",
    gettext("The standing show"),
    para(text),
    view.show ? row(view.show.cards) : "",
    open
      ? para(
          gettext("A pair beats a single card, a pair of jokers beats all. The show that stands at last names trumps."),
          "small muted",
        )
      : "",
  );
}

/** @param {Company} company @param {TractorView} view @param {TractorSheet} sheet */
function talon(company, view, sheet) {
  if (view.talon)
    return panel(
      "talon",
      gettext("The talon"),
      row(view.talon),
      para(
        fill(ngettext("%(count)s point in it.", "%(count)s points in it.", pointsIn(view.talon)), {
          count: pointsIn(view.talon),
        }),
      ),
    );
  if (!view.buried) return null;
  const cards = view.trump ? sorted(orderOf(view.trump, sheet.keeps_rank), view.buried) : view.buried;
  const count = pointsIn(cards);
  if (company.me === undefined)
    return panel(
      "buried",
      gettext("Buried"),
      row(cards),
      para(fill(ngettext("%(count)s point", "%(count)s points", count), { count })),
    );
  return panel(
    "buried",
    gettext("You buried"),
    row(cards),
    para(
      fill(
        ngettext(
          "%(count)s point; the others see these cards when the round is over.",
          "%(count)s points; the others see these cards when the round is over.",
          count,
        ),
        { count },
      ),
    ),
  );
}

/**
 * A round that is over: the talon opened, the points counted, who climbs, who starts next.
 * @param {Company} company @param {TractorView} view @param {TractorSheet} sheet
 */
export function roundPanel(company, view, sheet) {
  const { previous: round } = view;
  if (!round) return null;
  const opponents = 1 - round.declarers;
  /** @param {string} title @param {string | number} value */
  const line = (title, value) => el("div", {}, el("dt", {}, title), el("dd", {}, String(value)));
  const points = [line(gettext("Captured by the opponents"), round.captured[opponents])];
  if (round.talon) points.push(line(gettext("Talon, multiplied"), `+ ${round.talon}`));
  if (round.paid[round.declarers])
    points.push(line(gettext("Penalties of the declarers"), `+ ${round.paid[round.declarers]}`));
  if (round.paid[opponents]) points.push(line(gettext("Penalties of the opponents"), `− ${round.paid[opponents]}`));
  const said = climbWords(company, round.gains, round.ranks);
  if (view.phase !== "over") {
    said.push(
      view.declarers === round.declarers ? gettext("The declarers defend again.") : gettext("The opponents take over."),
    );
    said.push(
      fill(gettext("%(name)s starts the next round."), { name: shortNames(company.names)[view.starter ?? -1] ?? "" }),
    );
  }
  const buried = sorted(orderOf(round.trump, sheet.keeps_rank), round.buried);
  return panel(
    "round-end",
    fill(gettext("Round %(round)s is over"), { round: round.round }),
    para(`${capital(trumpWords(round.trump))}.`, "small muted"),
    para(
      fill(ngettext("Buried, with %(count)s point:", "Buried, with %(count)s points:", pointsIn(buried)), {
        count: pointsIn(buried),
      }),
    ),
    row(buried),
    el(
      "dl",
      { class: "tractor-sum" },
      points,
      el("div", { class: "sum" }, el("dt", {}, gettext("Points of the opponents")), el("dd", {}, String(round.total))),
    ),
    para(said.join(" "), "small strong"),
  );
}

/**
 * Fill the panels beside the table.
 * @param {HTMLElement} box @param {Company} company @param {TractorView} view @param {TractorSheet} sheet
 * @param {Owed | null} owed what the own hand owes now
 */
export function tellAside(box, company, view, sheet, owed) {
  const ended = ["deck", "draw", "show", "over"].includes(view.phase) ? roundPanel(company, view, sheet) : null;
  const parts = [
    owed ? panel("owed", gettext("What must be followed"), para(owedWords(owed).join(" "))) : null,
    ended,
    talon(company, view, sheet),
    showing(company, view),
  ].filter(Boolean);
  const key = JSON.stringify([
    owed,
    view.phase,
    view.show,
    view.talon,
    view.buried,
    ended && view.previous,
    ended && view.starter,
  ]);
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  swapChildren(box, parts);
}
