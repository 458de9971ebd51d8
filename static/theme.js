// Runs before the first paint: the reader's choice of theme, else what the system prefers, and the settings of the
// tables' pages that this device keeps. What the account keeps the server has written on the root; the device's own
// choice wins.
(() => {
  "use strict";
  var root = document.documentElement;
  /** @param {string} key */
  function read(key) {
    try {
      return localStorage.getItem(key);
    } catch (_) {
      return null;
    }
  }
  /** @returns {Record<string, unknown>} */
  function settings() {
    try {
      return JSON.parse(read("tock.settings") || "{}") || {};
    } catch (_) {
      return {}; // something else lies there
    }
  }
  var dark = matchMedia("(prefers-color-scheme: dark)");
  function apply() {
    var choice = read("theme");
    root.classList.toggle("dark", choice ? choice === "dark" : dark.matches);
    for (var [name, value] of Object.entries(settings())) {
      if (/^[a-z]{1,20}$/.test(name) && /^[a-z0-9]{1,20}$/.test(String(value))) root.dataset[name] = String(value);
    }
  }
  root.classList.remove("no-js");
  apply();
  dark.addEventListener("change", apply);
  addEventListener("storage", (event) => {
    if (event.key !== "tock.settings") return;
    apply(); // another window has changed them
    document.dispatchEvent(new Event("settings"));
  });
})();
