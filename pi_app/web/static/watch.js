// The page for spectators: shows the newest state of the table. It sends nothing.

import { Board, LETTERS, badge, changed, drawMark, fillWith, found, make, node, placesOf } from "./board.js";
import { cheer } from "./cheer.js";
import "./copy.js";
import { die } from "./dice.js";
import { followMine } from "./mine.js";
import { follow } from "./stream.js";
import { around, fill, percent } from "./texts.js";

begin();

const AGAIN_MS = 1000; // after which a board that could not be fetched is asked for again
const POINTED_MS = 3000; // how long a mouse's pointer stays that does not move
const MOST_TOLD = 3; // lines that are said at once

const main = document.querySelector("main");
const board = new Board(found("board"));

function paintTurn({ who, doing }) {
  if (!changed("turn", [who, doing])) return;
  fillWith(found("who"));
  found("who").setAttribute("viewBox", `-0.5 -0.5 ${Math.max(1, 1.1 * who.length)} 1`);
  who.forEach((seat, n) => drawMark(make(found("who"), "g", { transform: `translate(${1.1 * n})` }), seat));
  found("doing").textContent = doing;
}

// What house rules are opens at the words that name them.
function paintRules({ rules, house }) {
  if (!changed("rules", [rules, house])) return;
  found("rules").textContent = rules;
  found("house").hidden = false;
  found("ours").hidden = !house;
  fillWith(found("ours").querySelector("ul"), ...(house ? house.words : []).map((words) => node("li", words)));
  found("line").value = house ? house.line : "";
}

function entitle(what) {
  document.title = fill(main.dataset.title, "what", what);
}

function paintDice({ dice, thrown }) {
  if (!changed("dice", [dice, thrown])) return;
  const place = found("dice");
  fillWith(place, ...dice.map(die));
  place.hidden = dice.length === 0;
  place.setAttribute("aria-label", thrown);
}

function increment({ text, words, state }) {
  const line = node("li", "", state);
  line.append(seen(node("span", text)), node("span", words, "unseen"));
  return line;
}

// For the eyes only: the words beside it say more.
function seen(part) {
  part.setAttribute("aria-hidden", "true");
  return part;
}

function offer({ words, chosen }) {
  const line = node("li", words, chosen ? "chosen" : "");
  if (chosen) line.setAttribute("aria-current", "true");
  return line;
}

// A row of places with the seat's badge, and the letter for screen readers.
function placesWithBadge(places) {
  const row = placesOf(places), [seat] = places;
  fillWith(row.firstChild, badge(LETTERS.indexOf(seat)), node("span", seat, "unseen"));
  return row;
}

// The badge shows the letter; a screen reader gets it with the name.
function standing({ seat, who, called, far, wins, side }) {
  const line = node("li");
  line.dataset.seat = seat;
  line.dataset.wins = wins;
  line.dataset.side = side;
  line.append(badge(seat), seen(node("b", called)), node("span", who, "unseen"), node("span", far, "far"));
  return line;
}

// A chance has its number as text; a side has one, on the card of its first seat, which shows its letters. The bar is for spectators far away.
function paintChances(chances) {
  main.classList.toggle("chances", chances !== null);
  for (const line of found("standings").children) {
    line.querySelectorAll(".chance").forEach((old) => old.remove());
    const chance = chances && chances[line.dataset.seat];
    if (chance === null || line.dataset.wins === "") continue;
    const words = node("span", "", "chance"), [before, after] = around(line.dataset.wins, "chance");
    words.append(node("span", before, line.dataset.side && "unseen"), percent(chance / 100), node("span", after));
    if (line.dataset.side) words.prepend(seen(node("b", `${line.dataset.side} `)));
    words.style.setProperty("--chance", `${chance}%`);
    line.append(words);
  }
}

// What the newest play did to a chance, spoken once.
function paintChanged(changed) {
  const words = changed ? ["before", "after"].reduce((text, slot) => fill(text, slot, percent(changed[slot] / 100)), changed.words) : "";
  if (found("changed").textContent !== words) found("changed").textContent = words;
}

function put(id, values, draw) {
  if (changed(id, values)) fillWith(found(id), ...values.map(draw));
}

// The choices replace the places, which stay available to screen readers.
function paintNow({ offered, places }) {
  if (!changed("now", [offered, places])) return;
  found("offered").hidden = offered.length === 0;
  fillWith(found("offered").querySelector("ol"), ...offered.map(offer));
  found("places").hidden = places.length === 0;
  found("awaited").hidden = places.length > 0;
  fillWith(found("places").querySelector("tbody"), ...places.map(placesWithBadge));
}

// A list with limited room. Items that do not fit are only for screen readers; the chosen one is visible.

// more: what to show for 1, 2 or 3 lines that do not fit.
function fit(list, room, allMore) {
  const lines = [...list.querySelectorAll("li:not(.more)")], free = lines.filter((line) => !line.matches(".chosen"));
  for (const line of lines) line.classList.remove("unseen");
  list.querySelectorAll(".more").forEach((old) => old.remove());
  const over = () => list.scrollHeight > room.clientHeight;
  if (!over()) return;
  const more = node("li", "", "more");
  more.setAttribute("aria-hidden", "true");
  list.append(more);
  for (let hidden = 0; over() && free.length > 0; hidden++) {
    free.pop().classList.add("unseen");
    more.textContent = allMore[hidden];
  }
}

function fitAll() {
  const room = document.querySelector(".now"), past = found("happened"), places = found("places");
  fit(found("offered").querySelector("ol"), room, newest ? newest.more : []);
  places.classList.remove("unseen");
  places.classList.toggle("unseen", !found("offered").hidden || places.scrollHeight > room.clientHeight);
  const chances = [...document.querySelectorAll(".chance")], words = document.querySelectorAll(".chance span");
  for (const word of words) word.classList.remove("unseen");
  const wide = chances.some((chance) => chance.scrollWidth > chance.clientWidth);
  for (const word of words) word.classList.toggle("unseen", wide);
  for (const line of past.children) line.classList.remove("unseen");
  for (const line of [...past.children].reverse())
    if (past.scrollHeight > past.clientHeight) line.classList.add("unseen");
}

// For screen readers: whose turn it is and what has just happened, each once.

let told = null;

function tellNews({ doing, happened }) {
  const before = told;
  told = { doing, happened };
  if (before === null) return say([doing]);
  const lines = newer(before.happened, happened).slice(0, MOST_TOLD).reverse().map(([, line]) => line);
  say(before.doing === doing ? lines : [...lines, doing]);
}

// The new lines, before the known ones: a line is its id and its words.
function newer(before, now) {
  const count = now.findIndex((_, n) => now.slice(n).every((line, m) => String(line) === String(before[m])));
  return count < 0 ? now : now.slice(0, count);
}

function say(lines) {
  if (lines.length > 0) fillWith(found("told"), ...lines.map((line) => node("p", line)));
}

// The screen stays on during a game, where the browser allows that. It lets go of a hidden tab by itself.

let wake = null;

function stayAwake({ game }) {
  const playing = game && game.phase !== "over";
  if (!navigator.wakeLock) return; // it is there only over HTTPS, and on this machine
  if (!playing && wake) wake.then((lock) => lock && lock.release());
  if (!playing || wake) return;
  wake = navigator.wakeLock.request("screen").catch(() => null); // refused: the battery is low, or the tab is hidden
  wake.then((lock) => {
    if (lock) lock.addEventListener("release", () => { wake = null; });
    else wake = null;
  });
}

// Show the newest state, also if it comes while a board is fetched.

let newest = null, painting = false, again = 0;

function paint(state) {
  entitle(state.doing);
  paintTurn(state);
  paintDice(state);
  put("increments", state.increments, increment);
  paintNow(state);
  put("happened", state.happened, ([, line]) => node("li", line));
  put("standings", state.standings, standing);
  if (changed("chances", [state.chances, state.standings])) paintChances(state.chances);
  paintChanged(state.changed);
  for (const line of found("standings").children) line.classList.toggle("its", state.who.includes(Number(line.dataset.seat)));
  paintRules(state);
  fitAll();
  tellNews(state);
  cheer(state.cheer || []);
  followMine(state);
  stayAwake(state);
}

async function show(state) {
  newest = state;
  paint(state);
  await showBoard();
}

async function showBoard() {
  clearTimeout(again);
  if (painting) return;
  painting = true;
  try {
    for (let shown = null; shown !== newest;) {
      shown = newest;
      clearTimeout(again);
      if (!await board.show(shown)) again = setTimeout(showBoard, AGAIN_MS);
    }
  } finally {
    painting = false;
  }
}

function tell(trouble) {
  found("lost").hidden = trouble === "";
  if (found("lost").textContent !== trouble) found("lost").textContent = trouble;
  if (trouble) entitle(trouble);
}

if (window.ResizeObserver) new ResizeObserver(fitAll).observe(document.querySelector(".now"));
else addEventListener("resize", fitAll);
document.fonts.ready.then(fitAll);

// Hide the pointer: on a television it is in the way.
let still = 0;
addEventListener("mousemove", () => {
  document.body.classList.remove("still");
  clearTimeout(still);
  still = setTimeout(() => document.body.classList.add("still"), POINTED_MS);
});

follow({ path: "stream", show, tell, gone: found("lost").dataset.gone });
