// The own turn while the page is open but not in front: the browser says so, where this device gets pushes and its
// owner wants to hear of turns. Loaded with the first such turn. It tells nothing of the game: others may see it.
import { gettext } from "./i18n.js";
/** @import { View } from "./types.js" */

const HIDDEN = () => document.visibilityState === "hidden";
/** @type {Promise<boolean> | undefined} */
let wanted;

async function ask() {
  try {
    const { pushManager } = await navigator.serviceWorker.ready;
    if (!(await pushManager.getSubscription())) return false;
    const answer = await fetch("/notices/turns/", { headers: { accept: "application/json" }, redirect: "error" });
    return answer.ok && (await answer.json()).wanted === true;
  } catch {
    return false; // signed out meanwhile, or the network is away
  }
}

/** @param {View} view */
export async function call(view) {
  if (!("serviceWorker" in navigator && "PushManager" in window) || Notification.permission !== "granted") return;
  wanted ??= ask();
  const registration = await navigator.serviceWorker.ready;
  if (!(await wanted) || !HIDDEN()) return;
  const tag = `turn:${view.game}`;
  await registration.showNotification("Tock League", {
    body: gettext("It is your turn."),
    tag,
    data: location.pathname,
  });
  const close = async () => {
    if (HIDDEN()) return;
    document.removeEventListener("visibilitychange", close);
    for (const shown of await registration.getNotifications({ tag })) shown.close();
  };
  document.addEventListener("visibilitychange", close);
}
