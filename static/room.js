// Pages of people who look for a game: a casual table's room, and the list of open tables. Their parts are drawn anew
// while the page stays open, and the page goes to the table when its game begins.
import { fetchedPage } from "./fetched.js";

const HIDDEN = 5; // a page that is not seen asks every fifth time: its reader still waits, and still holds a seat

/** @param {ParentNode} page */
const livePartsOf = (page) => /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll("[data-live]"));

/**
 * Whether a reader would see no difference; the tokens of forms are new each time.
 * @param {Element} a @param {Element} b
 */
function same(a, b) {
  const [one, other] = [a, b].map((part) => {
    const copy = /** @type {Element} */ (part.cloneNode(true));
    for (const token of copy.querySelectorAll("input[type=hidden]")) token.remove();
    return copy;
  });
  return one.isEqualNode(other);
}

/** Put what has changed in place of ours; what somebody types in stays. @param {Document} page */
function renew(page) {
  const active = /** @type {HTMLElement | null} */ (document.activeElement);
  for (const old of livePartsOf(document)) {
    const fresh = /** @type {HTMLElement | null} */ (
      page.querySelector(`[data-live="${CSS.escape(old.dataset.live ?? "")}"]`)
    );
    if (active?.matches("input, select") && old.contains(active)) continue;
    if (!fresh) old.replaceChildren();
    else if (old.getAttribute("role") === "status") {
      const said = fresh.textContent?.trim() ?? ""; // only a change inside the element is read out
      if (old.textContent?.trim() !== said) old.textContent = said;
    } else if (!same(fresh, old)) {
      const key = active && old.contains(active) ? active.dataset.key : undefined;
      old.replaceWith(fresh);
      if (key) /** @type {HTMLElement | null} */ (fresh.querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus();
    }
  }
}

/** The address of the table whose game has begun for the reader. @param {Document} page */
const begun = (page) => /** @type {HTMLElement | null} */ (page.querySelector("[data-go]"))?.dataset.go ?? "";

/** @type {HTMLElement | null} */
const root = document.querySelector("[data-refresh]");
if (root) {
  let had = begun(document); // who comes back from the table stays in the room, until the next game begins
  let times = 0;
  const look = async () => {
    times += 1;
    if (document.hidden && times % HIDDEN) return;
    try {
      const page = await fetchedPage(window.location.pathname + window.location.search);
      if (!page) return;
      const go = begun(page);
      if (go && !had) window.location.assign(go);
      else renew(page);
      had = go;
    } catch {
      // No network for a moment; the next look may have it.
    }
  };
  setInterval(look, 1000 * (Number(root.dataset.refresh) || 5));
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) look();
  });
}

for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("[data-copy]"))) {
  const field = /** @type {HTMLInputElement | null} */ (document.getElementById(button.dataset.copy ?? ""));
  if (!field) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(field.value);
      button.textContent = button.dataset.done ?? "";
    } catch {
      field.select(); // over plain http nothing is copied for the reader
    }
  });
}
