// A tournament's pages: arrow keys in the bracket, printing, and new results while the page stays open.
import { fetchedPage } from "./fetched.js";

const ROOT = "[data-refresh]";
const OPEN = "details[open], [data-opened]"; // what a reader has opened

/** A match of the drawing: a link around its box. @typedef {SVGAElement} Match */

/** @param {Element} svg */
const matches = (svg) => /** @type {NodeListOf<Match>} */ (svg.querySelectorAll("a.bracket-match"));

/** The match that a selector names. @param {Element} svg @param {string} selector */
const matchBy = (svg, selector) => /** @type {Match | null} */ (svg.querySelector(selector));

/** The match that an event of the drawing is about. @param {Event} event */
const matchOf = (event) =>
  event.target instanceof Element ? /** @type {Match | null} */ (event.target.closest("a.bracket-match")) : null;

/** The parts of a page that are drawn anew while it stays open. @param {ParentNode} page */
const livePartsOf = (page) => /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll("[data-live]"));

/** The part of a page that has the same name. @param {ParentNode} page @param {HTMLElement} part */
const partOf = (page, part) =>
  /** @type {HTMLElement | null} */ (page.querySelector(`[data-live="${CSS.escape(part.dataset.live ?? "")}"]`));

/** The matches of the drawing by column, each column from top to bottom. @param {Element} svg */
function columns(svg) {
  /** @type {Map<number, Match[]>} */
  const made = new Map();
  for (const node of matches(svg)) {
    const key = Number(node.dataset.column);
    made.set(key, [...(made.get(key) ?? []), node]);
  }
  return [...made.entries()].sort((a, b) => a[0] - b[0]).map((pair) => pair[1]);
}

/** @param {Match} node */
const height = (node) => {
  const box = node.getBBox();
  return box.y + box.height / 2;
};

/**
 * The match that an arrow key leads to: up and down in the round, right after the winner, left to who came from there.
 * @param {Element} svg @param {Match} node @param {string} key
 */
function neighbour(svg, node, key) {
  const all = columns(svg);
  const column = all.findIndex((nodes) => nodes.includes(node));
  const place = all[column].indexOf(node);
  if (key === "ArrowUp") return all[column][place - 1];
  if (key === "ArrowDown") return all[column][place + 1];
  if (key === "Home") return all[0][0];
  if (key === "End") return all[all.length - 1][0];
  const line =
    key === "ArrowRight"
      ? node.dataset.to && matchBy(svg, `#${node.dataset.to}`)
      : matchBy(svg, `a.bracket-match[data-to="${node.id}"]`);
  if (line) return line;
  const beside = all[column + (key === "ArrowRight" ? 1 : -1)];
  if (!beside) return undefined;
  const from = height(node);
  return beside.reduce((best, other) =>
    Math.abs(height(other) - from) < Math.abs(height(best) - from) ? other : best,
  );
}

const KEYS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"];

/** One stop of the Tab key for the whole drawing; the arrows move it. @param {Element} svg @param {Element} current */
function rove(svg, current) {
  for (const node of matches(svg)) node.setAttribute("tabindex", node === current ? "0" : "-1");
}

function prepare() {
  for (const svg of /** @type {NodeListOf<SVGSVGElement>} */ (document.querySelectorAll("[data-bracket]"))) {
    if (svg.dataset.ready) continue;
    svg.dataset.ready = "yes";
    const first =
      svg.querySelector("a.bracket-match.mine") ||
      svg.querySelector("a.bracket-match.live") ||
      svg.querySelector("a.bracket-match");
    if (first) rove(svg, first);
    svg.addEventListener("keydown", (event) => {
      const node = matchOf(event);
      if (!node || !KEYS.includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
      const next = neighbour(svg, node, event.key);
      event.preventDefault();
      if (!next) return;
      rove(svg, next);
      next.focus();
    });
    svg.addEventListener("focusin", (event) => {
      const node = matchOf(event);
      if (node) rove(svg, node);
    });
  }
  for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-print]"))) {
    if (!button.hidden) continue;
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  }
}

/**
 * Put the parts of `page` that have changed in place of ours; a part that the reader is in or has opened stays.
 * @param {Document} page
 */
function renew(page) {
  for (const old of livePartsOf(document)) {
    const fresh = partOf(page, old);
    if (!fresh || old.contains(document.activeElement) || old.querySelector(OPEN)) continue;
    const told = old.dataset.told || plain(old);
    if (plain(fresh) === told) continue;
    const now = plain(fresh);
    old.replaceWith(fresh);
    fresh.dataset.told = now;
  }
  const root = document.querySelector(ROOT);
  for (const fresh of livePartsOf(page)) {
    // A podium or a round that was not there before: the whole page is drawn anew, unless somebody is in it.
    const known = partOf(document, fresh);
    if (!known && root && !root.contains(document.activeElement) && !root.querySelector(OPEN)) {
      window.location.reload();
      return;
    }
  }
  prepare();
}

/** The text and the addresses of a part: what a reader would notice. @param {Element} part */
function plain(part) {
  const links = [...part.querySelectorAll("a")].map((link) => link.getAttribute("href")).join(" ");
  return `${part.textContent.replace(/\s+/g, " ")}|${links}`;
}

prepare();
/** @type {HTMLElement | null} */
const root = document.querySelector(ROOT);
if (root) {
  const seconds = Number(root.dataset.refresh) || 20;
  const look = async () => {
    if (document.hidden) return;
    try {
      const page = await fetchedPage(window.location.pathname + window.location.search);
      if (page) renew(page);
    } catch {
      // No network for a moment; the next look may have it.
    }
  };
  setInterval(look, seconds * 1000);
  document.addEventListener("visibilitychange", look);
}
