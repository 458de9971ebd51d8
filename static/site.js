// The few things every page does in the browser: theme, menu under 900 px, closing messages.
"use strict";

const root = document.documentElement;

for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-theme-button]"))) {
  button.hidden = false;
  const show = () => button.setAttribute("aria-pressed", String(root.classList.contains("dark")));
  show();
  button.addEventListener("click", () => {
    const dark = root.classList.toggle("dark");
    try {
      localStorage.setItem("theme", dark ? "dark" : "light");
    } catch {
      // Storage may be refused; the choice then lasts as long as the page.
    }
    show();
  });
}

/** @type {HTMLElement | null} */
const menu = document.querySelector("[data-menu-button]");
const nav = document.getElementById("site-nav");
if (menu && nav) {
  /** @param {boolean} yes */
  const open = (yes) => {
    nav.classList.toggle("open", yes);
    menu.setAttribute("aria-expanded", String(yes));
  };
  menu.addEventListener("click", () => open(!nav.classList.contains("open")));
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && nav.classList.contains("open")) {
      open(false);
      menu.focus();
    }
  });
}

// A menu of the bar closes when the reader goes elsewhere.
for (const details of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.who-menu"))) {
  document.addEventListener("click", (event) => {
    if (!details.contains(/** @type {Node} */ (event.target))) details.open = false;
  });
  details.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      details.open = false;
      details.querySelector("summary")?.focus();
    }
  });
}

for (const button of document.querySelectorAll("[data-close-toast]")) {
  button.addEventListener("click", () => button.closest(".toast")?.remove());
}

// A worker keeps the page that says that there is no network, and nothing else. Without it the site works as well.
if ("serviceWorker" in navigator) {
  addEventListener("load", () => {
    const address = "/sw.js";
    const { trustedTypes } = /** @type {any} */ (window);
    const policy = trustedTypes?.createPolicy("offline-page", { createScriptURL: () => address });
    navigator.serviceWorker.register(policy ? policy.createScriptURL(address) : address).catch(() => {});
  });
}
