// Counts the round clocks of a page down. A clock says when it ends by the server's time; a paused one, what is left.
import { serverNow } from "./time.js";

const SECOND = 1000;
const SOON_MS = 60_000; // the last minute looks different

/** What is left, such as 12:05 or 1:00:00; a started second counts whole. @param {number} left in milliseconds */
export function digits(left) {
  const all = Math.max(0, Math.ceil(left / SECOND));
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor((all % 3600) / 60), all % 60];
  const two = (/** @type {number} */ count) => String(count).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/**
 * Write each digit in a place of its own width, so that nothing jumps from second to second.
 * @param {HTMLElement} shown @param {string} text
 */
function write(shown, text) {
  shown.dataset.text = text;
  const cells = [...text].map((sign) => {
    const cell = document.createElement("span");
    cell.className = sign === ":" ? "round-clock-colon" : "round-clock-digit";
    cell.textContent = sign;
    return cell;
  });
  shown.replaceChildren(...cells);
}

/** Write every clock of the page; nothing is written that has not changed. */
export function tick() {
  const now = serverNow();
  for (const clock of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-round-clock]"))) {
    const { ends, left, state } = clock.dataset;
    const rest = left === undefined ? Number(ends) - now : Number(left);
    const shown = /** @type {HTMLElement | null} */ (clock.querySelector("[data-digits]"));
    const call = /** @type {HTMLElement | null} */ (clock.querySelector("[data-call]"));
    const over = rest <= 0 && state === "running";
    const text = digits(rest);
    if (shown && shown.dataset.text !== text) write(shown, text);
    if (call && call.hidden === over) call.hidden = !over;
    clock.classList.toggle("over", over);
    clock.classList.toggle("soon", rest > 0 && rest <= SOON_MS && state === "running");
  }
}
