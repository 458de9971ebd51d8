// Ratings, figures and what is next beside a game that is over: a part of the page of its end. Loaded when a game ends.
import { fetchedPage } from "../fetched.js";
import { byId } from "./dom.js";

const TRIES = 15; // the ratings are computed after the end
const EVERY_MS = 2000;

let shown = "";

/** Show the end of `game` in its place beside the table; "" hides it. @param {string} address @param {string} game */
export async function show(address, game) {
  const box = byId("ending");
  shown = game;
  box.hidden = true;
  for (let tries = 0; game && tries < TRIES; tries += 1) {
    const page = await fetchedPage(address).catch(() => null);
    if (shown !== game) return;
    const part = page?.querySelector("[data-ending]");
    if (part) {
      box.replaceChildren(part);
      box.hidden = false;
      share(box);
      if (!part.hasAttribute("data-waiting")) return;
    }
    await new Promise((resolve) => {
      setTimeout(resolve, EVERY_MS);
    });
  }
}

/** Let the button share the link to the replay, or copy it. @param {HTMLElement} box */
function share(box) {
  /** @type {HTMLButtonElement | null} */
  const button = box.querySelector("[data-share]");
  if (!button) return;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const { share: url = "", done = "" } = button.dataset;
    try {
      if (navigator.share) await navigator.share({ title: document.title, url });
      else {
        await navigator.clipboard.writeText(url);
        button.textContent = done;
      }
    } catch {
      // The reader has closed the dialog, or nothing can be copied over plain http: the link is beside the button.
    }
  });
}
