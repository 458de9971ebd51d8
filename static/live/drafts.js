// Keeps what is typed into the forms of a case on the server, also while the session is over or another form is sent.
import { fetchedPage } from "../fetched.js";
import { all, el, swapChildren } from "./dom.js";
import { fill, gettext } from "./i18n.js";

const WAIT_MS = 1500;
const AGAIN_MS = 5000;
const CONFLICT = 409;
const FORBIDDEN = 403;

/** @typedef {{form: HTMLFormElement, dirty: boolean, timer: number, stop: AbortController | null}} Kept */

/** @param {HTMLFormElement} form @param {string} name */
const field = (form, name) => /** @type {HTMLInputElement | null} */ (form.querySelector(`input[name="${name}"]`));

/** Say in the form what became of its draft. @param {Kept} kept @param {...(Node | string)} words */
function tell(kept, ...words) {
  const line = /** @type {HTMLElement | null} */ (kept.form.querySelector("[data-draft]"));
  if (!line) return;
  line.hidden = false;
  swapChildren(line, ...words);
}

/** A token of the present session: signing in again in another window has changed it. */
async function renewToken() {
  const page = await fetchedPage(location.pathname);
  /** @type {HTMLInputElement | null | undefined} */
  const fresh = page?.querySelector('input[name="csrfmiddlewaretoken"]');
  if (!fresh) return;
  for (const input of /** @type {HTMLInputElement[]} */ (all(document, 'input[name="csrfmiddlewaretoken"]')))
    input.value = fresh.value;
}

/** @param {Kept} kept @param {string} address @param {boolean} replace */
function post(kept, address, replace) {
  const body = new FormData(kept.form);
  if (replace) body.set("draft_replace", "yes");
  kept.stop = new AbortController();
  return fetch(address, {
    method: "POST",
    body,
    credentials: "same-origin",
    keepalive: true,
    signal: kept.stop.signal,
    headers: { Accept: "application/json" },
  });
}

/** @param {Kept} kept @param {string} address @param {boolean} [replace] */
async function save(kept, address, replace = false) {
  clearTimeout(kept.timer);
  kept.dirty = false;
  try {
    let reply = await post(kept, address, replace);
    if (reply.status === FORBIDDEN) {
      await renewToken();
      reply = await post(kept, address, replace);
    }
    if (reply.ok) {
      const { version, saved } = await reply.json();
      const known = field(kept.form, "draft_version");
      if (known) known.value = String(version);
      const at = new Date(saved).toLocaleTimeString(document.documentElement.lang, { timeStyle: "short" });
      tell(kept, fill(gettext("Draft kept, %(at)s"), { at }));
      return;
    }
    if (reply.status === CONFLICT) {
      const button = el("button", { class: "button small", type: "button" }, gettext("Keep this one"));
      button.addEventListener("click", () => save(kept, address, true));
      tell(kept, gettext("Another window has a newer draft. Reload this page to see it."), " ", button);
      return;
    }
    const told = await reply.json().catch(() => null);
    tell(kept, told?.error?.message ?? gettext("The draft could not be kept."));
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    kept.dirty = true;
    tell(kept, gettext("No connection: the draft is kept as soon as there is one."));
    kept.timer = setTimeout(() => save(kept, address), AGAIN_MS);
  }
}

/** Whether something was typed before this script ran, which takes a while on a slow line. @param {Element} input */
function typed(input) {
  if (input instanceof HTMLSelectElement)
    return [...input.options].some((option) => option.selected !== option.defaultSelected && option.defaultSelected);
  if (input instanceof HTMLInputElement && ["checkbox", "radio"].includes(input.type))
    return input.checked !== input.defaultChecked;
  if (input instanceof HTMLInputElement && input.type === "hidden") return false;
  return (
    (input instanceof HTMLInputElement || input instanceof HTMLTextAreaElement) && input.value !== input.defaultValue
  );
}

/** @param {string} address */
function prepare(address) {
  const forms = /** @type {HTMLFormElement[]} */ (all(document, "form")).filter((form) => field(form, "draft_token"));
  const every = forms.map((form) => /** @type {Kept} */ ({ form, dirty: false, timer: 0, stop: null }));
  for (const kept of every) {
    const changed = () => {
      kept.dirty = true;
      clearTimeout(kept.timer);
      kept.timer = setTimeout(() => save(kept, address), WAIT_MS);
    };
    kept.form.addEventListener("input", changed);
    kept.form.addEventListener("change", changed);
    if ([...kept.form.elements].some(typed)) changed();
  }
  // A button of any form takes along what was typed into the others.
  document.addEventListener("submit", (event) => {
    for (const kept of every) {
      clearTimeout(kept.timer);
      kept.stop?.abort();
    }
    event.target?.addEventListener(
      "formdata",
      (/** @type {Event} */ sent) => {
        const { formData } = /** @type {FormDataEvent} */ (sent);
        for (const kept of every)
          if (kept.dirty) {
            if (kept.form !== event.target) formData.append("kept", JSON.stringify([...new FormData(kept.form)]));
            kept.dirty = false;
          }
      },
      { once: true },
    );
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) for (const kept of every) if (kept.dirty) save(kept, address);
  });
}

const page = /** @type {HTMLElement | null} */ (document.querySelector("[data-drafts]"));
if (page) prepare(page.dataset.drafts ?? "");
