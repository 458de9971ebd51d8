// The last turn once more: what was played since the own last play, from the steps the page has shown. Loaded with the
// press that asks for it.
import { pace } from "./chosen.js";
import { byId, say } from "./dom.js";
import { gettext } from "./i18n.js";
/** @import { Page } from "./page.js" */
/** @import { AnyStep } from "./types.js" */

const STAY = 900; // ms that a play stays

/** A play of a seat: decks and draws are the table's. @param {AnyStep} step */
const isPlay = (step) => step.k === "play" && step.d?.seat !== undefined && !/^draw\b/.test(step.d.play ?? "");

/**
 * The plays since the own last one; for who only watches those of one round.
 * @template {AnyStep} S
 * @param {S[]} seen oldest first @param {number | undefined} me @param {number} seats @returns {S[]}
 */
export function lastTurn(seen, me, seats) {
  const plays = seen.filter(isPlay);
  if (me === undefined) return plays.slice(-seats);
  const own = plays.findLastIndex((step) => step.d?.seat === me);
  return plays.slice(
    own === plays.length - 1 ? plays.findLastIndex((s, i) => i < own && s.d?.seat === me) + 1 : own + 1,
  );
}

/** Which pages show it now. @type {WeakSet<object>} */
const running = new WeakSet();

/** Show it; pressed again, stop. @param {Page<any, any>} page @param {number} [stay] */
export function show(page, stay = STAY) {
  if (running.delete(page)) return;
  running.add(page);
  page.waiting += 1; // nothing is chosen meanwhile, and what comes is shown afterwards
  const button = byId("see-again");
  button.setAttribute("aria-pressed", "true");
  page.enqueue(async () => {
    const { view, pile } = /** @type {{view: any, pile?: unknown}} */ (page);
    try {
      await play(page, stay);
    } finally {
      running.delete(page);
      button.setAttribute("aria-pressed", "false");
      Object.assign(page, { view, pile });
      page.waiting -= 1;
      page.render();
    }
  });
}

/** @param {Page<any, any>} page @param {number} stay */
async function play(page, stay) {
  const steps = lastTurn(page.seen, page.company.me, page.boot.seats);
  if (!steps.length) page.around.refused(gettext("This page has not shown a play yet that it could show again."));
  for (const step of steps) {
    if (!running.has(page)) return;
    page.view = step.after;
    await page.animate(step, false);
    if (!("board" in page)) page.render(); // Tractor's felt shows what lies, Tock's board what moves
    const words = page.plays.items.get(step.seq)?.lastElementChild?.firstChild?.textContent ?? "";
    say(byId("heading"), words);
    say(byId("said"), words);
    await new Promise((go) => setTimeout(go, stay / pace()));
  }
}
