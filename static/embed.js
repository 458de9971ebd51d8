// A page in a frame of another site, or in a stream: draws itself anew when the live feed says so.
import { fetchedPage } from "./fetched.js";

const PLACE = "[data-embed]";
const EVERY_MS = 300_000; // without a feed, and to be sure
const SPREAD_MS = 900; // not all frames ask in the same moment

/** @returns {HTMLElement | null} */
const place = () => document.querySelector(PLACE);

let waits = false; // the page will be drawn anew in a moment
let drawnAt = Date.now();

/** Draw the page anew, soon. @param {number} after */
function soon(after) {
  if (waits) return;
  waits = true;
  window.setTimeout(draw, after);
}

async function draw() {
  waits = false;
  try {
    const fresh = (await fetchedPage(window.location.href))?.querySelector(PLACE);
    const old = place();
    if (fresh && old && !fresh.isEqualNode(old)) old.replaceWith(document.importNode(fresh, true));
    if (fresh) drawnAt = Date.now();
    tick();
  } catch {
    // No network for a moment: the next event, or the next look, draws it.
  }
}

/** Show the time that is left for a decision; it runs on from what the page says. */
function tick() {
  for (const clock of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-left-ms]"))) {
    const left = Math.max(0, Number(clock.dataset.leftMs) - (Date.now() - drawnAt));
    const seconds = Math.ceil(left / 1000);
    clock.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
}

const { feed, kinds } = place()?.dataset ?? {};
if (feed) {
  const source = new EventSource(feed);
  let known = false;
  for (const kind of (kinds ?? "").split(" ")) {
    source.addEventListener(kind, () => soon(kind.startsWith("table.") ? 100 : 100 + Math.random() * SPREAD_MS));
  }
  // After a lost connection something may have been missed.
  for (const kind of ["ready", "reset"]) {
    source.addEventListener(kind, () => {
      if (known) soon(Math.random() * SPREAD_MS);
      known = true;
    });
  }
}
setInterval(() => soon(Math.random() * SPREAD_MS), EVERY_MS);
setInterval(tick, 500);
tick();
