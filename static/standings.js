// A table's numbers: the page that explains a line opens below that line. Without this script the number leads there.
import { fetchedPage } from "./fetched.js";

const LINK = "a[data-why]";

/** The row that explains the line of a link, while it is open. @param {Element} link */
const openedBelow = (link) => {
  const below = link.closest("tr")?.nextElementSibling;
  return below instanceof HTMLTableRowElement && "opened" in below.dataset ? below : null;
};

/** The links of a line. @param {Element} row */
const linksOf = (row) => /** @type {NodeListOf<HTMLAnchorElement>} */ (row.querySelectorAll(LINK));

/** @param {HTMLTableRowElement} opened */
function close(opened) {
  const row = opened.previousElementSibling;
  const inside = opened.contains(document.activeElement);
  opened.remove();
  for (const link of row ? linksOf(row) : []) {
    if (inside && link.getAttribute("aria-expanded") === "true") link.focus();
    link.setAttribute("aria-expanded", "false");
  }
}

/** Put an explanation below the line of a link. @param {HTMLAnchorElement} link @param {Element} explanation */
function open(link, explanation) {
  const row = link.closest("tr");
  if (!row) return;
  const opened = document.createElement("tr");
  opened.dataset.opened = "";
  opened.className = "opened";
  const cell = opened.insertCell();
  cell.colSpan = row.cells.length;
  const shown = document.importNode(explanation, true);
  shown.removeAttribute("id");
  for (const one of shown.querySelectorAll("[id]")) {
    if (one.id === link.hash.slice(1)) one.classList.add("asked");
    one.removeAttribute("id");
  }
  cell.append(shown);
  row.after(opened);
  for (const other of linksOf(row)) other.setAttribute("aria-expanded", String(other === link));
  const heading = shown.querySelector("h2");
  heading?.setAttribute("tabindex", "-1");
  heading?.focus();
}

/** @param {HTMLAnchorElement} link */
async function toggle(link) {
  const opened = openedBelow(link);
  const same = link.getAttribute("aria-expanded") === "true";
  if (opened) close(opened);
  if (same) return;
  try {
    const explanation = (await fetchedPage(link.href))?.querySelector("[data-explanation]");
    if (!explanation) throw new Error("no explanation");
    if (!openedBelow(link)) open(link, explanation);
  } catch {
    window.location.assign(link.href);
  }
}

document.addEventListener("click", (event) => {
  const plain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  const link = event.target instanceof Element ? event.target.closest(LINK) : null;
  if (!plain || !(link instanceof HTMLAnchorElement) || link.closest("[data-opened]")) return;
  event.preventDefault();
  toggle(link);
});

document.addEventListener("keydown", (event) => {
  const opened = event.target instanceof Element ? event.target.closest("[data-opened]") : null;
  if (event.key !== "Escape" || !(opened instanceof HTMLTableRowElement)) return;
  event.preventDefault();
  close(opened);
});
