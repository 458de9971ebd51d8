// Cards, marbles and marks as nodes; their shapes are in the hidden sprite of the page.
import { cardWords, rankOf } from "./cards.js";
import { el, svg } from "./dom.js";

/** A point as SVG writes it. @param {number[]} point */
export const xy = ([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`;

/** A line through points, as SVG writes it. @param {number[][]} points */
export const lineOf = (points) => `M${points.map(xy).join("L")}`;

/** @param {number} seat */
export const letterOf = (seat) => "abcdefgh"[seat];

/** A marble on the board; `scale` in spaces. @param {number} seat @param {{fresh?: boolean, scale?: number}} [state] */
export function marble(seat, { fresh = false, scale = 0.47 } = {}) {
  const letter = letterOf(seat);
  return svg(
    "g",
    { class: `marble marble-${letter}` },
    svg(
      "g",
      { class: "marble-inner", transform: `scale(${scale})` },
      fresh && svg("use", { href: "#shield", class: "marble-fresh" }),
      svg("use", { href: `#marble-${letter}` }),
      svg("circle", { class: "marble-mark", r: 1.3 }),
    ),
  );
}

/** A marble in running text, `size` in pixels. @param {number} seat @param {number} [size] */
export const marbleIcon = (seat, size = 24) =>
  svg(
    "svg",
    { class: "marble-icon", width: size, height: size, viewBox: "-1.12 -1.12 2.24 2.24", "aria-hidden": "true" },
    svg("g", { class: `marble marble-${letterOf(seat)}` }, svg("use", { href: `#marble-${letterOf(seat)}` })),
  );

/** The mark of a target: casing, core and dot. @param {string} kind */
export function targetMark(kind) {
  return [
    svg("use", { href: `#target-${kind}`, class: "target-outer" }),
    svg("use", { href: `#target-${kind}`, class: "target-inner" }),
    kind === "eat" || kind === "swap" ? null : svg("circle", { class: "target-dot", r: 0.2 }),
  ];
}

/** @param {string} kind */
export const targetIcon = (kind) =>
  svg(
    "svg",
    { class: "target-icon", viewBox: "-1.2 -1.2 2.4 2.4", "aria-hidden": "true" },
    svg("circle", { class: "target-wood", r: 1.18 }),
    ...targetMark(kind).filter(Boolean),
  );

/** @param {string} suit @param {number} [size] @param {string} [kind] */
export const suitIcon = (suit, size = 13, kind = "") =>
  svg(
    "svg",
    {
      class: `suit suit-${suit.toLowerCase()} ${kind}`,
      width: size,
      height: size,
      viewBox: "0 0 24 24",
      "aria-hidden": "true",
    },
    svg("use", { href: `#suit-${suit}` }),
  );

/** The words at the foot of a card: one line, or two. @param {string} effect */
const footOf = (effect) =>
  effect
    .split("\n")
    .map(
      (text, i, { length }) =>
        text && svg("text", { class: "card-effect", x: 30, y: length === 1 ? 77 : 68 + 10 * i }, text),
    );

/**
 * What is drawn on a card, in a box of 60 by 84; `effect`: what it does, at its foot.
 * @param {string} card @param {{effect?: string}} [state]
 */
export function cardFace(card, { effect = "" } = {}) {
  const base = svg("rect", { class: "card-face", x: 0.75, y: 0.75, width: 58.5, height: 82.5, rx: 7 });
  if (card === "??") {
    const rows = [24, 42, 60, 78].map((y) => `M5 ${y}l12.5-12 12.5 12 12.5-12L55 ${y}`).join("");
    return [
      svg("rect", { class: "card-back", x: 0.75, y: 0.75, width: 58.5, height: 82.5, rx: 7 }),
      svg("rect", { class: "card-back-inner", x: 5, y: 5, width: 50, height: 74, rx: 4 }),
      svg("path", { class: "card-back-pattern", d: rows }),
    ];
  }
  const foot = footOf(effect);
  if (card === "JK") {
    const star = svg("use", { href: "#suit-star", transform: "translate(14 17) scale(1.35)" });
    return [
      base,
      svg("g", { class: "suit-h" }, star, svg("text", { class: "card-joker", x: 30, y: 15 }, "JOKER")),
      ...foot,
    ];
  }
  const rank = rankOf(card);
  const suit = card.slice(-1);
  const ten = rank === "10";
  return [
    base,
    svg(
      "g",
      { class: `suit-${suit.toLowerCase()}` },
      svg("text", { class: ten ? "card-rank ten" : "card-rank", x: 6, y: 30 }, rank),
      svg("use", { href: `#suit-${suit}`, transform: `translate(${ten ? 37 : 34} 9) scale(.8)` }),
      svg("use", { href: `#suit-${suit}`, transform: "translate(16.5 34) scale(1.13)" }),
    ),
    ...foot,
  ];
}

/**
 * A card of its own; without a label it is decoration (its button speaks).
 * @param {string} name @param {{effect?: string, label?: string}} [state]
 */
export const card = (name, { effect = "", label = "" } = {}) =>
  svg(
    "svg",
    {
      class: "card",
      viewBox: "0 0 60 84",
      role: label ? "img" : undefined,
      "aria-label": label || undefined,
      "aria-hidden": label ? undefined : "true",
    },
    ...cardFace(name, { effect }).filter(Boolean),
  );

/**
 * A card lying on the board, `width` in spaces.
 * @param {string} name @param {number} x @param {number} y @param {number} width @param {number} turn
 */
export const cardOnBoard = (name, x, y, width, turn) =>
  svg(
    "g",
    {
      class: "card on-board",
      transform: `translate(${x} ${y}) rotate(${turn}) scale(${width / 60}) translate(-30 -42)`,
    },
    ...cardFace(name).filter(Boolean),
  );

/** A card in the list of plays: rank and suit in a small frame. @param {string} name */
export function cardlet(name) {
  if (!name) return el("span", { class: "cardlet none", "aria-hidden": "true" });
  if (name === "??") return el("span", { class: "cardlet", "aria-label": cardWords(name) }, "?");
  if (name === "JK") return el("span", { class: "cardlet", role: "img", "aria-label": cardWords(name) }, "★");
  return el(
    "span",
    { class: "cardlet", role: "img", "aria-label": cardWords(name) },
    rankOf(name),
    suitIcon(name.slice(-1)),
  );
}

/** @type {{[name: string]: string}} */
const ICONS = {
  check: "M4 12.5l5.5 5.5L20 6.5",
  flag: "M5 22V3h12l-2 4.5L17 12H5",
  play: "M7 4l13 8-13 8z",
  pause: "M8 5v14M16 5v14",
  warn: "M12 3L2 20h20zM12 10v4M12 17v.1",
  whistle: "M3 14a5.5 5.5 0 1 0 11 0a5.5 5.5 0 1 0 -11 0M10 8.7h11v4h-7.2M8.5 5V2.5M4.7 6.3L3 4.5",
};

/** @param {string} name */
export const icon = (name) =>
  svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
