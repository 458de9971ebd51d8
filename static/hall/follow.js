// A page that follows an event by itself: it is fetched anew when the live feed says so, and now and then to be sure.
// What has changed is put in place of what stands there, part by part, so nothing grows while a page is open for days.
import { fetchedPage } from "../fetched.js";
import { heard, ofThisPage } from "./time.js";

const SPREAD_MS = 700; // not all screens and phones ask in the same moment
const SURE_MS = 30_000; // between two looks while the feed is heard
const DEAF_MS = 10_000; // and while it is not
const AGAIN_MS = 60_000; // before a feed that was refused is asked for again
const STUCK_MS = 20_000; // a request without an answer is given up: its connection is dead
const LOST_MS = 25_000; // without an answer, the page says so

const ROOT = "[data-follow]";
const PART = "[data-part]";

/** @returns {HTMLElement | null} */
const root = () => document.querySelector(ROOT);

/** The parts as the server wrote them: in the page, scripts change the clocks. @type {Map<string, Node>} */
const written = new Map();

/** @param {ParentNode} within @returns {NodeListOf<HTMLElement>} */
const partsOf = (within) => within.querySelectorAll(PART);

/** @param {HTMLElement} part */
const nameOf = (part) => part.dataset.part ?? "";

/** Whether the parts of two pages are the same ones in the same order. @param {ParentNode} a @param {ParentNode} b */
const alike = (a, b) => [...partsOf(a)].map(nameOf).join() === [...partsOf(b)].map(nameOf).join();

/** The scripts and style sheets of a page: others mean that the site has a new release. @param {Document} page */
const release = (page) =>
  [...page.querySelectorAll("script[src], link[rel=stylesheet]")]
    .map((node) => node.getAttribute("src") ?? node.getAttribute("href"))
    .join();

function remember() {
  written.clear();
  for (const part of partsOf(document)) written.set(nameOf(part), part.cloneNode(true));
}

/**
 * Put what has changed in place of ours, and return the names of these parts.
 * @param {Document} page @returns {string[]}
 */
function renew(page) {
  const [old, fresh] = [root(), page.querySelector(ROOT)];
  if (!old || !fresh) return [];
  if (!alike(old, fresh)) {
    const copy = /** @type {HTMLElement} */ (document.importNode(fresh, true));
    old.replaceWith(copy);
    remember();
    return [...written.keys()];
  }
  const names = [];
  for (const part of partsOf(fresh)) {
    const name = nameOf(part);
    const copy = document.importNode(part, true);
    if (written.get(name)?.isEqualNode(copy)) continue;
    written.set(name, copy.cloneNode(true));
    old.querySelector(`[data-part="${CSS.escape(name)}"]`)?.replaceWith(copy);
    names.push(name);
  }
  return names;
}

/** Follow from now on. @param {(names: string[]) => void} drawn called with the names of the parts that have changed */
export function follow(drawn) {
  const first = root();
  if (!first) return;
  const { source, feed, kinds } = first.dataset;
  const address = source || window.location.href;
  const loaded = release(document);
  let answeredAt = performance.now();
  let due = answeredAt + SURE_MS;
  let asks = false;
  let askedAt = 0;
  /** @type {EventSource | null} */
  let stream = null;
  let askFeedAt = 0;
  const asked = ofThisPage();
  heard(Number(first.dataset.now), asked[0], asked[1]);
  remember();

  const lost = (/** @type {boolean} */ is) => {
    const line = /** @type {HTMLElement | null} */ (document.querySelector("[data-lost]"));
    if (line && line.hidden === is) line.hidden = !is;
  };

  async function look() {
    const from = performance.now();
    [asks, askedAt] = [true, from];
    try {
      const page = await fetchedPage(address);
      const now = performance.now();
      const fresh = /** @type {HTMLElement | null} */ (page?.querySelector(ROOT) ?? null);
      if (page && fresh) {
        answeredAt = now;
        if (!source && release(page) !== loaded) {
          window.location.reload(); // the server has just answered, so the page will come
          return;
        }
        heard(Number(fresh.dataset.now), from, now);
        const { theme } = fresh.dataset; // of a screen, which the desk may change
        if (theme) document.documentElement.classList.toggle("dark", theme === "dark");
        const names = renew(page);
        if (names.length) drawn(names);
      }
    } catch {
      // No network, or the server restarts: what stands there stays, and the next look comes soon.
    } finally {
      asks = false;
    }
  }

  const soon = (/** @type {number} */ after) => {
    due = Math.min(due, performance.now() + after);
  };

  function listen() {
    if (!feed) return;
    const opened = new EventSource(feed);
    stream = opened;
    for (const kind of (kinds ?? "").split(" ")) opened.addEventListener(kind, () => soon(Math.random() * SPREAD_MS));
    // After a lost connection something may have been missed.
    for (const kind of ["ready", "reset"]) opened.addEventListener(kind, () => soon(Math.random() * SPREAD_MS));
  }

  /** Called four times a second: one timer for everything, so none is ever forgotten. */
  function beat() {
    const now = performance.now();
    if (feed && (!stream || stream.readyState === EventSource.CLOSED) && now >= askFeedAt) {
      askFeedAt = now + AGAIN_MS;
      stream?.close();
      listen();
    }
    const hears = stream?.readyState === EventSource.OPEN;
    if (!hears) soon(DEAF_MS);
    if (now >= due && (!asks || now - askedAt > STUCK_MS)) {
      due = now + (hears ? SURE_MS : DEAF_MS);
      look();
    }
    lost(now - answeredAt > (hears ? SURE_MS : DEAF_MS) + LOST_MS);
  }

  setInterval(beat, 250);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) soon(0);
  });
  window.addEventListener("online", () => soon(0));
}
