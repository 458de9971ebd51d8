// The list of lessons: what this device has finished is marked too, and the button leads to the next one.
import { finish, finished } from "./live/progress.js";

const script = /** @type {HTMLScriptElement} */ (document.querySelector("script[data-continue]"));
const go = /** @type {HTMLAnchorElement} */ (document.getElementById("lessons-go"));
const here = finished();
/** @type {NodeListOf<HTMLAnchorElement>} */
const links = document.querySelectorAll("[data-lesson]");
/** @type {HTMLAnchorElement | undefined} */
let next;
let some = false;
/** @type {string[]} what the account does not know yet */
const news = [];
for (const link of links) {
  const tag = /** @type {HTMLElement} */ (link.nextElementSibling);
  const name = link.dataset.lesson ?? "";
  if (tag.hidden && here.includes(name)) {
    tag.hidden = false;
    news.push(name);
  }
  some ||= !tag.hidden;
  if (tag.hidden) next ??= link;
}
if (some && next) {
  go.href = next.href;
  go.textContent = script.dataset.continue ?? "";
}
if (script.dataset.keep && news.length) finish(news, script.dataset.keep);
