// Which lessons of the guided first game are finished: on this device, and for the account of who has signed in.

const KEY = "tock.lessons";

/** The names that this device keeps. @returns {string[]} */
export function finished() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((name) => typeof name === "string") : [];
  } catch {
    return []; // refused, or something else lies there
  }
}

/**
 * Keep finished lessons. @param {string[]} names
 * @param {string | undefined} address where the account keeps them; without one there is no account
 */
export async function finish(names, address) {
  try {
    localStorage.setItem(KEY, JSON.stringify([...new Set([...finished(), ...names])]));
  } catch {
    // Nothing is kept here; the lesson can be repeated all the same.
  }
  if (!address || !names.length) return;
  /** @type {HTMLInputElement | null} */
  const token = document.querySelector("[name=csrfmiddlewaretoken]");
  const headers = { "Content-Type": "application/json", "X-CSRFToken": token?.value ?? "" };
  await fetch(address, { method: "POST", credentials: "same-origin", headers, body: JSON.stringify(names) }).catch(
    () => null, // The device has it, and sends it again from the list of lessons.
  );
}
