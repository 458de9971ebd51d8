// Clears a page of a signed-in person when their session has ended: here, in another window, or by its limits. Asks the
// server when the page comes to the front, when another window signs out, and when the session may have run out.

const script = /** @type {HTMLScriptElement} */ (document.querySelector("script[data-session]"));
const { session = "", owner = "", door = "/" } = script.dataset;
const LONGEST_MS = 24 * 3600 * 1000;
const SHORTEST_MS = 60 * 1000;
const windows = new BroadcastChannel("session");
let timer = 0;

/** @param {number} wait in milliseconds */
const askIn = (wait) => {
  clearTimeout(timer);
  timer = setTimeout(ask, Math.min(Math.max(wait, SHORTEST_MS), LONGEST_MS));
};

const leave = () => {
  document.body.replaceChildren();
  location.replace(`${door}?${new URLSearchParams({ next: location.pathname + location.search })}`);
};

async function ask() {
  try {
    const answer = await fetch(session, { headers: { accept: "application/json" }, cache: "no-store" });
    if (!answer.ok) return askIn(SHORTEST_MS);
    const now = await answer.json();
    if (now.owner !== owner) return leave();
    askIn((now.ends_in_s + 1) * 1000);
  } catch {
    askIn(SHORTEST_MS); // The network is away; the page stays.
  }
}

document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && ask());
addEventListener("pageshow", (event) => event.persisted && ask());
addEventListener("submit", (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if ("signOut" in form.dataset) windows.postMessage("sign out");
});
// The other window's request must have been answered before this one asks.
windows.addEventListener("message", () => {
  for (const wait of [500, 3000]) setTimeout(ask, wait);
});
askIn((Number(script.dataset.endsInS) + 1) * 1000);
