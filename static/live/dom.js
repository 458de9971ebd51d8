// Building nodes. Never from text as markup: the table page refuses that (Trusted Types).

/** @import { Boot } from "./types.js" */

/** @typedef {Node | string | false | null | undefined} Child   what is not there is left out */
/** @typedef {(Child | Child[])[]} Children */
/** @typedef {string | number | boolean | null | undefined | ((event: MouseEvent) => unknown)} Value */
/** @typedef {{[name: string]: Value}} Attributes   a name that begins with "on" is listened to */

const SVG = "http://www.w3.org/2000/svg";

/** @param {Child} child @returns {child is Node | string} */
const isThere = (child) => child !== undefined && child !== null && child !== false && child !== "";

/** @template {Element} E @param {E} node @param {Attributes} attributes @param {Children} children @returns {E} */
function fillNode(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") node.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    else node.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (isThere(child)) node.append(child);
  }
  return node;
}

/**
 * An element of the page: `el("button", {class: "button", onclick: f}, "text", child)`.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Attributes} attributes @param {...(Child | Child[])} children
 */
export const el = (tag, attributes, ...children) => fillNode(document.createElement(tag), attributes, children);

/**
 * The same for SVG.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag @param {Attributes} attributes @param {...(Child | Child[])} children
 */
export const svg = (tag, attributes, ...children) => fillNode(document.createElementNS(SVG, tag), attributes, children);

/** Put new children in place of the old ones. @param {Element} node @param {...(Child | Child[])} children */
export function swapChildren(node, ...children) {
  node.replaceChildren(...children.flat().filter(isThere));
}

/**
 * The element with an id that the page's template is known to hold. The caller names its kind; other than HTML is
 * inferred.
 * @template {Element} [E=HTMLElement]
 * @param {string} id @returns {E}
 */
export const byId = (id) => /** @type {E} */ (/** @type {unknown} */ (document.getElementById(id)));

/**
 * The data that the page was sent with, from `<script type="application/json" id="...">`.
 * @param {string} id @returns {unknown}
 */
export const pageData = (id) => JSON.parse(byId(id).textContent ?? "");

/** The first child of a node that is built with one. @param {Element} node */
export const inside = (node) => /** @type {Element} */ (node.firstElementChild);

/**
 * The elements below a root that a selector names, as the kind that the caller expects.
 * @template {Element} [E=HTMLElement]
 * @param {ParentNode} root @param {string} selector
 */
export const all = (root, selector) => [.../** @type {NodeListOf<E>} */ (root.querySelectorAll(selector))];

/**
 * The element below a root that is known to be there.
 * @template {Element} [E=HTMLElement]
 * @param {ParentNode} root @param {string} selector
 */
export const the = (root, selector) => /** @type {E} */ (root.querySelector(selector));

/**
 * Is it the number of a seat? Who watches has none.
 * @param {number | null | undefined} seat @returns {seat is number}
 */
export const isSeat = (seat) => seat !== null && seat !== undefined;

/**
 * The page's `boot`, with a name for every seat and what only the page itself knows. It is the
 * template's, of this very site.
 * @param {string} [id]
 */
export function pageBoot(id = "boot") {
  /** @type {HTMLInputElement | null} */
  const field = document.querySelector("[name=csrfmiddlewaretoken]");
  const boot = /** @type {Omit<Boot, "names" | "csrf">} */ (pageData(id));
  return { ...boot, names: /** @type {string[]} */ (pageData("names")), csrf: field?.value ?? "" };
}

/** What an event of the page is about, as an element. @param {Event} event @returns {Element | null} */
export const targetOf = (event) => (event.target instanceof Element ? event.target : null);

/**
 * Set a text only when it changed, so that live regions do not speak twice.
 * @param {Node | null} node @param {string} text
 */
export function say(node, text) {
  if (node && node.textContent !== text) node.textContent = text;
}
