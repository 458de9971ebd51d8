// The service worker: shows the kept page when a page cannot be fetched, and shows pushes. The server writes
// `self.offline` above this.
// Every request goes to the network first, and no answer of the site is stored but the files of KEPT.

/** @type {{KEPT: string[], NAME: string, ICON: string}} the page and its files; the name of their store; for pushes */
const { KEPT, NAME, ICON } = /** @type {any} */ (self).offline;

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

// A push: shown, unless somebody looks at the page that it is about. The server says in whose words.
addEventListener("push", (/** @type {any} */ event) => {
  const { clients, registration } = /** @type {any} */ (self);
  const told = event.data?.json() ?? {};
  const show = async () => {
    const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const looks = open.some(
      (/** @type {any} */ page) => page.visibilityState === "visible" && new URL(page.url).pathname === told.address,
    );
    if (looks) return;
    await registration.showNotification(told.title, {
      body: told.body,
      lang: told.lang,
      tag: told.tag,
      icon: ICON,
      data: told.address,
    });
  };
  event.waitUntil(show());
});

addEventListener("notificationclick", (/** @type {any} */ event) => {
  const { clients } = /** @type {any} */ (self);
  event.notification.close();
  const address = new URL(event.notification.data ?? "/notices/", location.origin);
  if (address.origin !== location.origin) return;
  const go = async () => {
    const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = open.find((/** @type {any} */ page) => new URL(page.url).pathname === address.pathname);
    if (!there) return clients.openWindow(address.href);
    await there.focus();
    // The list of notices does not follow by itself; a table does, and would lose what is chosen there.
    if (address.pathname === "/notices/") await there.navigate(address.href);
  };
  event.waitUntil(go());
});
