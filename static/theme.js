// Runs before the first paint: the reader's choice of theme and card colours, else what the system prefers.
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
  var dark = matchMedia("(prefers-color-scheme: dark)");
  function apply() {
    var choice = read("theme");
    root.classList.toggle("dark", choice ? choice === "dark" : dark.matches);
    root.classList.toggle("four-colours", read("cards") === "four");
  }
  root.classList.remove("no-js");
  apply();
  dark.addEventListener("change", apply);
})();
