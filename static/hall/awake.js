// Keeps a screen from going dark, where the browser can. A wall works without it: a television does not sleep.

/** Ask for the screen to stay on, and again when the page comes back: the browser takes the lock from a hidden page. */
export function awake() {
  const ask = () => {
    if (document.hidden || !navigator.wakeLock) return;
    navigator.wakeLock.request("screen").catch(() => {}); // such as with a low battery
  };
  document.addEventListener("visibilitychange", ask);
  ask();
}
