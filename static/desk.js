// The desk's lists: a press changes the list in place, without loading the page, and the keyboard stays where it was.
// Without this script every form works by itself and leads back to the page.
import { fetchedPage } from "./fetched.js";

/** A part of a page that a press may change. @param {ParentNode} page */
const partsOf = (page) => /** @type {NodeListOf<HTMLElement>} */ (page.querySelectorAll("[data-part]"));

/** @param {ParentNode} page @param {string} name */
const partOf = (page, name) =>
  /** @type {HTMLElement | null} */ (page.querySelector(`[data-part="${CSS.escape(name)}"]`));

/** @type {HTMLFormElement | null} */
const keys = document.querySelector("form[data-keys]");
/** @type {HTMLInputElement | null} */
const first = keys?.querySelector("input:not([type=hidden])") ?? null;
let busy = false;

/**
 * Send a form and return the page that answers, also one that refuses.
 * @param {HTMLFormElement} form @param {HTMLElement | null} pressed @returns {Promise<Document>}
 */
function sent(form, pressed) {
  const data = new FormData(form);
  if (pressed instanceof HTMLButtonElement && pressed.name) data.append(pressed.name, pressed.value);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", form.getAttribute("action") || window.location.pathname + window.location.search);
    request.responseType = "document";
    request.setRequestHeader("Accept", "text/html");
    request.onload = () => {
      if (request.responseXML && partOf(request.responseXML, "told")) resolve(request.responseXML);
      else reject(new TypeError("another page"));
    };
    request.onerror = () => reject(new TypeError("no answer"));
    request.send(data);
  });
}

/** Put the parts of a page in place of ours. @param {Document} page */
function take(page) {
  for (const fresh of partsOf(page)) partOf(document, fresh.dataset.part ?? "")?.replaceWith(fresh);
  const toasts = page.querySelector(".toasts");
  const shown = document.querySelector(".toasts");
  if (shown && toasts) shown.replaceWith(toasts);
  else if (toasts) document.body.append(toasts);
  else shown?.remove();
}

/** The match on the sheet whose number was typed. @param {string} number */
const lineOf = (number) =>
  number ? /** @type {HTMLElement | null} */ (document.querySelector(`[data-number="${CSS.escape(number)}"]`)) : null;

/** Show which teams play at the table that was typed. */
function tell() {
  const told = keys?.querySelector("[data-match]");
  if (!told || !first) return;
  const line = lineOf(first.value.trim());
  told.textContent = line ? `1 ${line.dataset.home} · 2 ${line.dataset.away}` : "";
}

/** Open the form of a match that takes more than a line of the keyboard. @param {HTMLElement} line */
function open(line) {
  const details = line.querySelector("details");
  if (!details) return;
  details.open = true;
  /** @type {HTMLElement | null} */ (details.querySelector("select, input:not([type=hidden])"))?.focus();
}

/** @param {SubmitEvent} event */
async function submit(event) {
  const form = event.target;
  if (!(form instanceof HTMLFormElement) || !form.matches("[data-desk]")) return;
  event.preventDefault();
  if (busy) return;
  busy = true;
  const anchor = form.closest("[id]")?.id;
  const typed = form === keys || Boolean(form.querySelector("select, input:not([type=hidden])"));
  try {
    const page = await sent(form, event.submitter);
    const refused = Boolean(page.querySelector('[data-part="told"] [role="alert"]'));
    take(page);
    if (form === keys && !refused) form.reset();
    tell();
    if (typed && first && !(refused && form !== keys)) {
      first.focus();
      first.select();
    } else if (anchor && !typed) {
      const line = document.getElementById(anchor);
      line?.querySelector("a, button")?.setAttribute("data-last", "");
      /** @type {HTMLElement | null} */ (line?.querySelector("[data-last]"))?.focus({ preventScroll: true });
    }
  } catch {
    form.removeAttribute("data-desk"); // no answer, or a page of another kind: the browser shows what there is
    form.requestSubmit(event.submitter);
  } finally {
    busy = false;
  }
}

document.addEventListener("submit", submit);
document.addEventListener("click", (event) => {
  // A message that came with a press; those of the page's own load are closed by site.js.
  if (event.target instanceof Element && event.target.closest("[data-close-toast]"))
    event.target.closest(".toast")?.remove();
});

if (keys && first) {
  first.addEventListener("input", tell);
  first.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const line = lineOf(first.value.trim());
    if (line && "form" in line.dataset) open(line);
    else if (line) /** @type {HTMLElement | null} */ (keys.querySelector('[name="winner"]'))?.focus();
    else keys.requestSubmit();
  });
}

// What others enter meanwhile appears by itself, unless somebody is in the middle of a match.
const renewed = /** @type {HTMLElement | null} */ (document.querySelector("[data-renew]"));
if (renewed) {
  setInterval(async () => {
    const now = document.querySelector("[data-renew]");
    if (busy || document.hidden) return;
    if (now?.contains(document.activeElement) || now?.querySelector("details[open]")) return;
    try {
      const page = await fetchedPage(window.location.pathname + window.location.search);
      if (!page || busy) return;
      for (const fresh of partsOf(page))
        if (fresh.dataset.part !== "told") partOf(document, fresh.dataset.part ?? "")?.replaceWith(fresh);
    } catch {
      // No network for a moment; the next look may have it.
    }
  }, 1000 * Number(renewed.dataset.renew));
}
