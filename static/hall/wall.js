// A screen of a hall: its views take turns, long ones page by page or scrolling, and it follows by itself.
import { tick } from "./clocks.js";
import { follow } from "./follow.js";
import { awake } from "./awake.js";

const STAGE = "[data-stage]";
const SCROLL_REST_S = 4; // above and below, before and after scrolling
const SCALES = [1, 0.88, 0.76, 0.66, 0.56]; // of the letters of a bracket
const ROWS_A_SECOND = 0.55; // so fast the standings scroll

/** @returns {HTMLElement[]} */
const views = () =>
  [...document.querySelectorAll(`${STAGE} > [data-view]`)].map((node) => /** @type {HTMLElement} */ (node));

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** What is shown: the view, its page, when the page came, and for how long it stays. */
const now = { view: "", page: 0, pages: 1, since: 0, seconds: 10 };
/** @type {Animation | null} */
let rolling = null;

/** @param {HTMLElement} view @param {string} what @returns {HTMLElement[]} */
const inside = (view, what) => [...view.querySelectorAll(what)].map((node) => /** @type {HTMLElement} */ (node));

/**
 * The page of each line of a list that flows through so many columns, one after the other. A line is never cut.
 * @param {HTMLElement} room @param {HTMLElement[]} rows @param {number} columns
 */
function flow(room, rows, columns) {
  room.style.setProperty("--columns", String(columns));
  const most = room.clientHeight + 1;
  let [column, height] = [0, 0];
  return rows.map((row) => {
    const own = row.getBoundingClientRect().height;
    if (height > 0 && height + own > most) [column, height] = [column + 1, 0];
    height += own;
    return Math.floor(column / columns);
  });
}

/** Show one page of a list, in as many columns as make the fewest pages. @param {HTMLElement} room */
function showRows(room) {
  const rows = inside(room, "[data-row]");
  for (const row of rows) row.hidden = false;
  const last = (/** @type {number[]} */ found) => found[found.length - 1] ?? 0;
  let [columns, pages] = [1, flow(room, rows, 1)];
  for (let more = 2; more <= Number(room.dataset.columns ?? 1); more += 1) {
    const found = flow(room, rows, more);
    if (last(found) < last(pages)) [columns, pages] = [more, found];
  }
  room.style.setProperty("--columns", String(columns));
  now.pages = last(pages) + 1;
  now.page = Math.min(now.page, now.pages - 1);
  for (const [place, row] of rows.entries()) row.hidden = pages[place] !== now.page;
}

/** Whether every match of a sheet has the height that it needs. @param {HTMLElement} sheet */
const fits = (sheet) =>
  inside(sheet, "ol").every((list) => {
    const heights = [...list.children].map((match) => match.getBoundingClientRect().height);
    return Math.max(...heights) * heights.length <= list.clientHeight + 1;
  });

/** Show one sheet, in smaller letters where long names need two lines. @param {HTMLElement} room */
function showSheet(room) {
  const sheets = inside(room, "[data-sheet]");
  now.pages = Math.max(1, sheets.length);
  now.page = Math.min(now.page, now.pages - 1);
  for (const [place, sheet] of sheets.entries()) sheet.hidden = place !== now.page;
  const shown = sheets[now.page];
  for (const scale of shown ? SCALES : []) {
    shown.style.setProperty("--scale", String(scale));
    if (fits(shown)) break;
  }
}

/** Let what is too long scroll once, from top to bottom; page by page without motion. @param {HTMLElement} room */
function roll(room) {
  const [list] = inside(room, "[data-roll]");
  const [row] = inside(room, "[data-row]");
  if (!list || !row) return;
  const over = list.scrollHeight - room.clientHeight;
  if (over <= 0) return;
  if (still.matches) {
    const step = Math.max(row.offsetHeight, room.clientHeight - 2 * row.offsetHeight);
    now.pages = Math.ceil(over / step) + 1;
    now.page = Math.min(now.page, now.pages - 1);
    list.style.transform = `translateY(${-Math.min(over, now.page * step)}px)`;
    return;
  }
  const seconds = over / (row.offsetHeight * ROWS_A_SECOND) + 2 * SCROLL_REST_S;
  const rest = SCROLL_REST_S / seconds;
  const end = `translateY(${-over}px)`;
  const frames = [
    { transform: "translateY(0)", offset: 0 },
    { transform: "translateY(0)", offset: rest },
    { transform: end, offset: 1 - rest },
    { transform: end, offset: 1 },
  ];
  rolling = list.animate(frames, { duration: seconds * 1000, fill: "forwards" });
  rolling.currentTime = Math.min(performance.now() - now.since, seconds * 1000); // goes on after a change
  now.seconds = Math.max(now.seconds, seconds);
}

/** Show the present page of the present view; of one that is not there any more the first. */
function show() {
  const all = views();
  const chosen = all.find((view) => view.dataset.view === now.view) ?? all[0];
  if (!chosen) return; // what stands there stays
  if (chosen.dataset.view !== now.view) Object.assign(now, { page: 0, since: performance.now() });
  rolling?.cancel();
  rolling = null;
  now.view = chosen.dataset.view ?? "";
  now.seconds = Number(chosen.dataset.seconds) || now.seconds;
  now.pages = 1;
  for (const view of all) view.hidden = view !== chosen;
  for (const room of inside(chosen, "[data-room]")) {
    if (room.dataset.room === "pages") showRows(room);
    else if (room.dataset.room === "sheets") showSheet(room);
    else roll(room);
  }
  for (const line of inside(chosen, "[data-page]")) {
    line.textContent = now.pages > 1 ? `${now.page + 1} / ${now.pages}` : "";
  }
  tick();
}

/** Go on to the next page, or to the next view. */
function next() {
  const all = views();
  const place = all.findIndex((view) => view.dataset.view === now.view);
  now.since = performance.now();
  if (now.page + 1 < now.pages) {
    now.page += 1;
  } else if (all.length > 1) {
    now.page = 0;
    now.view = all[(place + 1) % all.length].dataset.view ?? "";
  } else {
    now.page = 0;
  }
  show();
}

now.since = performance.now();
show();
follow(show);
setInterval(() => {
  tick();
  if (performance.now() - now.since >= now.seconds * 1000) next();
}, 250);
window.addEventListener("resize", show);
document.fonts?.ready.then(show);
still.addEventListener("change", show);
awake();
