// What stands between the board and the hand: what the player can do now, as buttons with shape, place and consequence.
import { waitWords } from "./beacon.js";
import { theCard } from "./cards.js";
import * as choose from "./choose.js";
import { el, isSeat } from "./dom.js";
import { verbWords } from "./hand.js";
import { fill, gettext, ngettext } from "./i18n.js";
import { capital, seatsOf, shortNames, teamWords } from "./names.js";
import { isCentre, nextSeat } from "./notation.js";
import { icon, marbleIcon, targetIcon } from "./pieces.js";
import { entryWords, placeWords, sideWords } from "./places.js";
import { reasonWords } from "./results.js";
import { playWords, targetWords } from "./targets.js";
import { ways } from "./ways.js";
/** @import { Player } from "./player.js" */
/** @import { Situation, Target, TockView } from "./tock_types.js" */
/** @import { Boot } from "./types.js" */

/**
 * A choice: a shape, what it is, what it costs.
 * @param {string} key @param {Node} mark @param {string} title @param {string} detail @param {() => void} press
 */
function button(key, mark, title, detail, press) {
  return el(
    "button",
    { type: "button", class: "choice", "data-key": key, onclick: press },
    mark,
    el("span", {}, el("b", {}, title), detail ? el("small", {}, detail) : ""),
  );
}

/** @param {string} text @param {() => void} press @param {string} [key] @param {string} [detail] */
const main = (text, press, key = "main", detail = "") =>
  el(
    "button",
    { type: "button", class: "button primary big give", "data-key": key, onclick: press },
    el("span", {}, text, detail ? el("small", {}, detail) : ""),
  );
/** @param {string} text @param {() => void} press @param {string} key */
const other = (text, press, key) =>
  el("button", { type: "button", class: "button on-felt big", "data-key": key, onclick: press }, text);
/** @param {string} text */
const note = (text) => el("p", { class: "hint" }, text);

/**
 * @param {Situation} state {boot, company, view, stage, choice, marbles, targets, skip, busy}
 * @param {Player} player what the buttons call: ready, lay, pick, take, skip, confirm, cancel
 * @returns {HTMLElement[]}
 */
export function choices(state, player) {
  const { view, stage, choice } = state;
  if (state.busy && !state.stopped) return [note(gettext("Sent. Waiting for the table…"))];
  if (view.phase === "seating") return seating(state, player);
  if (view.phase === "over") return over(state, player);
  if (state.stopped)
    return stage === "wait"
      ? []
      : [note(gettext("Nothing can be played until the clocks run again; nothing is lost."))];
  if (stage === "wait") {
    if (view.phase === "give" && view.laid)
      return [note(fill(gettext("You give %(card)s."), { card: theCard(view.laid) }))];
    return [];
  }
  const verb = choose.asked(view);
  if (stage === "throw") {
    return [
      main(
        gettext("Throw in the whole hand"),
        () => player.throwIn(),
        "main",
        gettext("Nothing can come out: you lay down all your cards and wait for the next deal."),
      ),
    ];
  }
  if (stage === "card") {
    if (choice.marble) return [note(gettext("Now a card for that marble. Tap the marble again to put it down."))];
    return [note(sideWords(state.company, view) || hintFor(verb))];
  }
  if (stage === "lay") return laying(state, player);
  if (stage === "confirm") {
    const no = choice.legs.length ? gettext("Take back the last part") : gettext("Change");
    return [main(gettext("Release"), () => player.confirm(), "confirm"), other(no, () => player.cancel(), "cancel")];
  }
  const out = plays(state, player);
  if (choice.legs.length) out.push(other(gettext("Take back the last part"), () => player.cancel(), "undo"));
  return out;
}

/** @param {string} verb */
function hintFor(verb) {
  if (verb === "burn") return gettext("Tap the card you want to burn.");
  if (verb === "give") return gettext("Tap the card you want to give; nobody sees it but the two of you.");
  return gettext("Tap a card, then the place where it goes. Or begin with a marble.");
}

/** @param {Situation} state @param {Player} player */
function laying(state, player) {
  const { choice, view } = state;
  if (!choose.openCards(view).has(choice.card)) {
    return [note(gettext("That card cannot be played while another one can."))];
  }
  // After a joker a hand may hold cards to play only; burning is asked for when nothing else is left.
  const [kind] = choose.handed(view, choice).split(" ");
  if (kind) return [main(verbWords(kind, choice.card), () => player.lay(choice.card))];
  return plays(state, player);
}

/**
 * What the card can do. The keys of a target and of its button are the same: pointing at one shows the other.
 * @param {Situation} state @param {Player} player
 */
function plays(state, player) {
  const { company, choice, view } = state;
  if (!state.marbles.length && !state.skip) return []; // the answer of the table is awaited
  const inside = state.marbles.filter(({ place }) => isCentre(place)).length;
  const out = ways(view, company.me, choice).map(({ target, marble, count }) => {
    if (target) return targetButton(state, target, player);
    const { place, owner } = marble;
    const title = place === "r" ? gettext("Bring a marble out") : capital(placeWords(company, place, owner));
    const goes = fill(ngettext("%(count)s way to go", "%(count)s ways to go", count), { count });
    const detail = inside > 1 && isCentre(place) ? [entryWords(company, place), goes].join(", ") : goes;
    return button(`m:${place}`, marbleIcon(owner, 34), title, detail, () => player.pick(place));
  });
  if (state.skip) {
    const next = shortNames(company.names)[nextSeat(view, company.me)];
    out.push(
      button(
        "skip",
        targetIcon("move"),
        gettext("Sacrifice the 10"),
        next ? fill(gettext("%(name)s must burn a card"), { name: next }) : "",
        () => player.skip(state.skip),
      ),
    );
  }
  return out;
}

/**
 * A play, or a leg of it; with the marble that goes, until it is known.
 * @param {Situation} state @param {Target} target @param {Player} player
 */
function targetButton({ company, choice, marbles, view }, target, player) {
  const say = choice.marble || marbles.length < 2 ? targetWords : playWords;
  const { title, detail } = say(company, target, choice.card, view);
  const key = `t:${target.from}-${target.place}`;
  return button(key, targetIcon(target.kind), title, detail, () => player.take(target));
}

/** @param {Situation} state @param {Player} player */
function seating(state, player) {
  const { boot, view } = state;
  const waits = waitWords(view);
  if (waits) return [note(waits)];
  if (boot.seat === null || boot.seat === undefined) return [note(gettext("The game begins when everybody is ready."))];
  if (view.ready?.[boot.seat]) return [note(gettext("You are ready. The game begins when everybody is."))];
  return [main(gettext("I am ready"), () => player.ready(), "ready")];
}

/** @param {Situation} state @param {Player} player */
function over(state, player) {
  const { boot, view } = state;
  const links = [];
  if (!boot.replay)
    links.push(
      el(
        "a",
        {
          class: "button primary big",
          href: (boot.replay_url ?? `/games/${view.game}/`).replace(boot.game, view.game),
          "data-key": "replay",
        },
        icon("play"),
        gettext("See the game again"),
      ),
    );
  if (boot.again) links.push(other(gettext("Play again"), () => player.again(), "again"));
  if (boot.back_name)
    links.push(el("a", { class: "button on-felt big", href: boot.back, "data-key": "back" }, boot.back_name));
  const reason = reasonWords(boot, view);
  return [
    el(
      "section",
      { class: "result", "aria-label": gettext("Result") },
      reason ? el("p", {}, reason) : "",
      el("ul", {}, standing(boot, view)),
      el("div", { class: "row" }, links),
    ),
  ];
}

/**
 * The teams as they ended; more than two of them with their place, equal ones with the same.
 * @param {Boot} boot @param {TockView} view
 */
function standing(boot, view) {
  const ranks = view.result?.ranks ?? [];
  const teams = Array.from({ length: boot.teams }, (_, team) => team).sort(
    (a, b) => (ranks[a] ?? 0) - (ranks[b] ?? 0) || a - b,
  );
  return teams.map((team) => {
    const seats = seatsOf(boot, team);
    const count = seats.reduce((sum, seat) => sum + view.marbles[seat].filter((place) => place[0] === "h").length, 0);
    const many = boot.teams > 2;
    const tied = ranks.filter((rank) => rank === ranks[team]).length > 1;
    const said = tied ? gettext("place %(place)s, equal") : gettext("place %(place)s");
    return el(
      "li",
      {
        class:
          [many && "many", ranks[team] === 0 && "winner", isSeat(boot.seat) && seats.includes(boot.seat) && "mine"]
            .filter(Boolean)
            .join(" ") || undefined,
      },
      many && ranks.length
        ? el(
            "span",
            { class: "result-rank" },
            el("span", { "aria-hidden": "true" }, String(ranks[team] + 1)),
            el("span", { class: "visually-hidden" }, fill(said, { place: ranks[team] + 1 })),
          )
        : "",
      el("span", { class: "row" }, ...seats.map((seat) => marbleIcon(seat, 26))),
      el("span", {}, teamWords(boot, team)),
      el("b", {}, fill(ngettext("%(count)s marble in heaven", "%(count)s marbles in heaven", count), { count })),
    );
  });
}
