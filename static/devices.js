// Switches pushes to this device on, after a press and never by itself, and says why that is not possible.
// The browser gives the address of its push service and two keys; the form of notices/_devices.html sends them.

const section = /** @type {HTMLElement} */ (document.getElementById("devices"));
const form = /** @type {HTMLFormElement} */ (document.getElementById("add-device"));
const KEY = section.dataset.key ?? "";
const supported = window.isSecureContext && "serviceWorker" in navigator && "PushManager" in window;

/** @param {string} reason none hides all */
function tell(reason) {
  for (const line of /** @type {NodeListOf<HTMLElement>} */ (section.querySelectorAll("[data-when]")))
    line.hidden = line.dataset.when !== reason;
}

/** @param {string} text base64url */
const bytes = (text) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/** @param {ArrayBuffer | null} key */
const same = (key) => {
  const ours = bytes(KEY);
  return !!key && new Uint8Array(key).every((value, place) => value === ours[place]);
};

/** @param {string} text @returns {Promise<string>} SHA-256, in hex */
async function digest(text) {
  const found = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(found)].map((value) => value.toString(16).padStart(2, "0")).join("");
}

async function start() {
  const registration = await navigator.serviceWorker.ready;
  const held = await registration.pushManager.getSubscription();
  const mine = held && same(held.options.applicationServerKey) ? await digest(held.endpoint) : "";
  const row = mine ? section.querySelector(`[data-digest="${mine}"]`) : null;
  /** @type {HTMLElement | null | undefined} */
  const tag = row?.querySelector("[data-this]");
  if (tag) tag.hidden = false;
  row?.querySelector("[data-end]")?.addEventListener("submit", () => held?.unsubscribe());
  form.hidden = !!row;
  if (!row && Notification.permission === "denied") tell("denied");
}

async function add() {
  tell("");
  if ((await Notification.requestPermission()) !== "granted") return tell("denied");
  try {
    const { pushManager } = await navigator.serviceWorker.ready;
    const held = await pushManager.getSubscription();
    // Of another key: this site has a new one, and the former subscription hears nothing any more.
    if (held && !same(held.options.applicationServerKey)) await held.unsubscribe();
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(KEY) });
    const { endpoint = "", keys = {} } = made.toJSON();
    for (const [name, value] of Object.entries({ endpoint, p256dh: keys.p256dh, auth: keys.auth })) {
      /** @type {any} */
      const field = form.elements.namedItem(name);
      field.value = value ?? "";
    }
    form.submit();
  } catch {
    tell("failed");
  }
}

if (supported) {
  form.querySelector("button")?.addEventListener("click", add);
  start();
} else tell("unsupported");
