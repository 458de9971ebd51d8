// The service worker: shows the kept page when a page cannot be fetched. The server writes `self.offline` above this.
// Every request goes to the network first, and no answer of the site is stored but the files of KEPT.

/** @type {{KEPT: string[], NAME: string}} the page and its files; the name of their store */
const { KEPT, NAME } = /** @type {any} */ (self).offline;

addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(
    caches
      .open(NAME)
      .then((cache) => cache.addAll(KEPT.map((address) => new Request(address, { credentials: "omit" }))))
      .then(() => /** @type {any} */ (self).skipWaiting()),
  );
});

addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== NAME).map((name) => caches.delete(name)))),
  );
});

addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match(KEPT[0])));
    return;
  }
  const { origin, pathname } = new URL(request.url);
  if (origin === location.origin && KEPT.includes(pathname))
    event.respondWith(fetch(request).catch(() => caches.match(pathname)));
});
