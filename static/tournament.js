// A tournament's pages: arrow keys in the bracket, printing, and new results while the page stays open.
const ROOT = "[data-refresh]";

/** The matches of the drawing by column, each column from top to bottom. */
function columns(svg) {
  const made = new Map();
  for (const node of svg.querySelectorAll("a.bk")) {
    const key = Number(node.dataset.column);
    if (!made.has(key)) made.set(key, []);
    made.get(key).push(node);
  }
  return [...made.entries()].sort((a, b) => a[0] - b[0]).map((pair) => pair[1]);
}

const height = (node) => {
  const box = node.getBBox();
  return box.y + box.height / 2;
};

/** The match that an arrow key leads to: up and down in the round, right after the winner, left to who came from there. */
function neighbour(svg, node, key) {
  const all = columns(svg);
  const column = all.findIndex((nodes) => nodes.includes(node));
  const place = all[column].indexOf(node);
  if (key === "ArrowUp") return all[column][place - 1];
  if (key === "ArrowDown") return all[column][place + 1];
  if (key === "Home") return all[0][0];
  if (key === "End") return all[all.length - 1][0];
  const line =
    key === "ArrowRight"
      ? node.dataset.to && svg.querySelector(`#${node.dataset.to}`)
      : svg.querySelector(`a.bk[data-to="${node.id}"]`);
  if (line) return line;
  const beside = all[column + (key === "ArrowRight" ? 1 : -1)];
  if (!beside) return undefined;
  const from = height(node);
  return beside.reduce((best, other) => (Math.abs(height(other) - from) < Math.abs(height(best) - from) ? other : best));
}

const KEYS = ["ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight", "Home", "End"];

/** One stop of the Tab key for the whole drawing; the arrows move it. */
function rove(svg, current) {
  for (const node of svg.querySelectorAll("a.bk")) node.setAttribute("tabindex", node === current ? "0" : "-1");
}

function prepare() {
  for (const svg of document.querySelectorAll("[data-bracket]")) {
    if (svg.dataset.ready) continue;
    svg.dataset.ready = "yes";
    const first = svg.querySelector("a.bk.mine") || svg.querySelector("a.bk.live") || svg.querySelector("a.bk");
    if (first) rove(svg, first);
    svg.addEventListener("keydown", (event) => {
      const node = event.target.closest("a.bk");
      if (!node || !KEYS.includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
      const next = neighbour(svg, node, event.key);
      event.preventDefault();
      if (!next) return;
      rove(svg, next);
      next.focus();
    });
    svg.addEventListener("focusin", (event) => {
      const node = event.target.closest("a.bk");
      if (node) rove(svg, node);
    });
  }
  for (const button of document.querySelectorAll("[data-print]")) {
    if (!button.hidden) continue;
    button.hidden = false;
    button.addEventListener("click", () => window.print());
  }
}

/** Put the parts of `page` that have changed in place of ours; a part that the reader is in or has opened stays. */
function renew(page) {
  for (const old of document.querySelectorAll("[data-live]")) {
    const fresh = page.querySelector(`[data-live="${CSS.escape(old.dataset.live)}"]`);
    if (!fresh || old.contains(document.activeElement) || old.querySelector("details[open]")) continue;
    const told = old.dataset.told || plain(old);
    if (plain(fresh) === told) continue;
    const now = plain(fresh);
    old.replaceWith(fresh);
    fresh.dataset.told = now;
  }
  const root = document.querySelector(ROOT);
  for (const fresh of page.querySelectorAll("[data-live]")) {
    // A podium or a round that was not there before: the whole page is drawn anew, unless somebody is in it.
    const known = document.querySelector(`[data-live="${CSS.escape(fresh.dataset.live)}"]`);
    if (!known && root && !root.contains(document.activeElement) && !root.querySelector("details[open]")) {
      window.location.reload();
      return;
    }
  }
  prepare();
}

/** The text and the addresses of a part: what a reader would notice. */
function plain(part) {
  const links = [...part.querySelectorAll("a")].map((link) => link.getAttribute("href")).join(" ");
  return `${part.textContent.replace(/\s+/g, " ")}|${links}`;
}

prepare();
const root = document.querySelector(ROOT);
if (root) {
  const seconds = Number(root.dataset.refresh) || 20;
  const look = async () => {
    if (document.hidden) return;
    try {
      const answer = await fetch(window.location.pathname, { headers: { Accept: "text/html" }, credentials: "same-origin" });
      if (answer.ok) renew(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch {
      // No network for a moment; the next look may have it.
    }
  };
  setInterval(look, seconds * 1000);
  document.addEventListener("visibilitychange", look);
}
