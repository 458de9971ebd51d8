// Building nodes. Never from text as markup: the table page refuses that (Trusted Types).
const SVG = "http://www.w3.org/2000/svg";

function fillNode(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children.flat()) {
    if (child !== undefined && child !== null && child !== false && child !== "") node.append(child);
  }
  return node;
}

/** An element of the page: `el("button", {class: "btn", onclick: f}, "text", child)`. */
export const el = (tag, attributes, ...children) => fillNode(document.createElement(tag), attributes, children);

/** The same for SVG. */
export const svg = (tag, attributes, ...children) => fillNode(document.createElementNS(SVG, tag), attributes, children);

/** Put new children in place of the old ones. */
export function swapChildren(node, ...children) {
  node.replaceChildren(...children.flat().filter((child) => child !== undefined && child !== null && child !== ""));
}

/** The data that the page was sent with, from `<script type="application/json" id="...">`. */
export const pageData = (id) => JSON.parse(document.getElementById(id).textContent);

/** The page's `boot`, with a name for every seat and what only the page itself knows. */
export function pageBoot() {
  const csrf = document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
  return { ...pageData("boot"), names: pageData("names"), csrf };
}

/** Set a text only when it changed, so that live regions do not speak twice. */
export function say(node, text) {
  if (node && node.textContent !== text) node.textContent = text;
}
