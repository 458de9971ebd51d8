// Beside the board: what is going on that the board alone does not say. The exchange, the marbles in the centre.
import { el, swapChildren } from "./dom.js";
import { fill, gettext, ngettext } from "./i18n.js";
import { shortNames } from "./names.js";
import { isCentre } from "./notation.js";
import { marbleIcon } from "./pieces.js";
import { entryWords } from "./places.js";
/** @import { Child } from "./dom.js" */
/** @import { TockView } from "./tock_types.js" */
/** @import { Company } from "./types.js" */

/** @param {string} title @param {...Child} children */
const panel = (title, ...children) => el("section", { class: "side-panel" }, el("h2", {}, title), ...children);

/** @param {Company} company @param {TockView} view */
function exchange(company, view) {
  const given = (view.given ?? []).filter(Boolean).length;
  const count = fill(ngettext("%(count)s card of %(seats)s given", "%(count)s cards of %(seats)s given", given), {
    count: given,
    seats: company.seats,
  });
  const name = shortNames(company.names)[((view.dealer ?? 0) + 1) % company.seats];
  return panel(
    gettext("The exchange"),
    el(
      "p",
      { class: "small" },
      fill(gettext("Everybody gives one card in secret. They change hands all at once; then %(name)s plays first."), {
        name,
      }),
    ),
    el("p", { class: "small strong" }, count),
  );
}

/** @param {Company} company @param {TockView} view */
function centre(company, view) {
  const inside = Object.entries(view.marbles).flatMap(([seat, places]) =>
    places.filter(isCentre).map((place) => ({ seat: Number(seat), place })),
  );
  if (!inside.length) return null;
  const names = shortNames(company.names);
  return panel(
    gettext("In the centre"),
    el(
      "ul",
      { class: "small centre-list" },
      inside.map(({ seat, place }) =>
        el("li", {}, marbleIcon(seat, 22), el("span", {}, `${names[seat]}, ${entryWords(company, place)}`)),
      ),
    ),
    el("p", { class: "small muted" }, gettext("Only a king brings a marble out.")),
  );
}

/** Fill the panels beside the board. @param {HTMLElement} box @param {Company} company @param {TockView} view */
export function tellAside(box, company, view) {
  const parts = [
    view.phase === "give" ? exchange(company, view) : null,
    view.phase === "over" ? null : centre(company, view),
  ].filter((node) => node !== null);
  const key = parts.map((node) => node.textContent).join("|");
  if (box.dataset.key === key) return;
  box.dataset.key = key;
  swapChildren(box, parts);
}
