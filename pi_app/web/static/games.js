// The stored games: a list, and one game to step through on the board, with chances and luck.

import { Board, LETTERS, badge, drawMark, fillWith, found, make, node, pause, placesOf } from "./board.js";
import { die } from "./dice.js";
import { showPlots } from "./plots.js";
import { LANGUAGE, around, percent } from "./texts.js";

begin();

const REVIEW_MS = 1000;
const LATE_MS = 300; // who waits for longer is told so
const PATIENCE_MS = 10000; // after so long without an answer its connection may be dead
const MOST_PATIENCE_MS = 80000; // but a long game on a slow computer takes its time
const RETRY_MS = 2000;
const SWIPE = 30; // dots that a finger goes at least; fewer are a tap
const board = new Board(found("board"));
const slider = found("slider");

class Refused extends Error {}

// Another error is a mistake of the page, which faults.js shows.
function refused(error) {
  if (error instanceof Refused) return error;
  throw error;
}

// Ask until the table answers; null if the user goes elsewhere before. If many games are requested at once,
// the table answers after how many seconds to ask again. note: shows words about the wait, "" for none.
async function ask(path, leaving, note) {
  let noted = false;
  const tell = (words, isTrouble) => { noted = true; note(words, isTrouble); };
  const late = setTimeout(tell, LATE_MS, found("loading").dataset.loading, false);
  try {
    for (let patience = PATIENCE_MS; ; patience = Math.min(2 * patience, MOST_PATIENCE_MS)) {
      const told = await askOnce(path, leaving, patience).catch(() => null);
      if (leaving.aborted) return null;
      if (told && told.ok) return JSON.parse(told.text);
      if (told && !told.wait) throw new Refused(told.text);
      if (!told) {
        clearTimeout(late);
        tell(found("trouble").dataset.gone, true);
      }
      await pause(told ? 1000 * told.wait : RETRY_MS);
      if (leaving.aborted) return null;
    }
  } finally {
    clearTimeout(late);
    if (noted && !leaving.aborted) note("", false);
  }
}

async function askOnce(path, leaving, patience) {
  const ending = new AbortController(), end = () => ending.abort(), timer = setTimeout(end, patience);
  leaving.addEventListener("abort", end);
  try {
    const answer = await fetch(path, { signal: ending.signal });
    return { ok: answer.ok, wait: answer.headers.get("Retry-After"), text: await answer.text() };
  } finally {
    clearTimeout(timer);
    leaving.removeEventListener("abort", end);
  }
}

function tellIn(id, words) {
  found(id).textContent = words;
  found(id).hidden = words === "";
}

function tell(words, isTrouble) {
  tellIn("loading", isTrouble ? "" : words);
  tellIn("trouble", isTrouble ? words : "");
}

// The list

const LIST_TITLE = document.title;
const dates = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: "medium", timeStyle: "short" });

function aboutGame({ about, started }) {
  const line = node("span", about, "about");
  if (started === null) return line;
  const [before, after] = around(about, "when"), when = node("time", dates.format(new Date(started)));
  when.dateTime = started;
  fillWith(line, before, when, after);
  return line;
}

function keptGame(game) {
  const line = node("li"), link = node("a");
  link.href = `#${game.number}`;
  link.append(
    node("span", game.number, "number"), node("span", game.who, "who"), node("span", game.result, "result"),
    aboutGame(game),
  );
  line.append(link);
  return line;
}

// The newest games; the button adds older ones below, a part at a time

function showList({ games, has_older }) {
  document.title = LIST_TITLE;
  fillWith(found("kept"), ...games.map(keptGame));
  found("none").hidden = games.length > 0;
  found("older").hidden = !has_older;
}

async function showOlder() {
  const last = found("kept").lastChild, number = last.firstChild.hash.slice(1);
  const told = await ask(`games?before=${encodeURIComponent(number)}`, stay.signal, tell).catch(refused);
  if (!told || last !== found("kept").lastChild) return; // the list was shown anew, or this was pressed twice
  if (told instanceof Refused) return tell(told.message, true);
  tell("", false);
  found("kept").append(...told.games.map(keptGame));
  found("older").hidden = !told.has_older;
  if (last.nextSibling) last.nextSibling.firstChild.focus(); // to read on from there
}

found("older").addEventListener("click", showOlder);

// One game: each frame has what differs from the frame before

let game = null, at = 0;

function wholeFrames(frames) {
  let before = {};
  return frames.map((frame) => (before = { ...before, ...frame }));
}

function showGame(told, path, frame) {
  game = { ...told, said: told.frames, frames: wholeFrames(told.frames) };
  document.title = told.title;
  found("who").textContent = told.heading;
  found("about").textContent = told.rules;
  found("rules-title").textContent = told.rules;
  fillWith(found("rules"), ...told.short.map((sentence) => node("p", sentence)));
  fillSheet();
  slider.max = game.frames.length - 1;
  drawCurve();
  goTo(frame);
  found("review").hidden = true;
  fillWith(found("seats"));
  waitForReview(path, stay.signal);
  slider.focus({ preventScroll: true });
}

function goTo(wanted) {
  at = Math.min(Math.max(wanted, 0), game.frames.length - 1);
  const frame = game.frames[at];
  slider.value = at;
  slider.setAttribute("aria-valuetext", frame.at);
  found("words").textContent = frame.words;
  fillWith(found("dice"), ...frame.dice.map((face) => die({ [game.shells ? "up" : "face"]: face, tumbling: false })));
  found("dice").setAttribute("aria-label", frame.thrown);
  fillWith(found("places").tBodies[0], ...frame.places.map(placesOf));
  listChances(frame.chances);
  point();
  board.show({ ...frame, board: game.board, looks: [] });
}

// What only paper shows
function fillSheet() {
  const row = (name, value) => {
    const line = node("tr");
    line.append(node("th", name), node("td", value));
    return line;
  };
  const names = new Map(game.seats);
  const places = game.standings.map(([seat, far]) => {
    const line = row(names.get(seat), far);
    line.firstChild.prepend(badge(seat));
    return line;
  });
  fillWith(found("standings").tBodies[0], ...places);
  fillWith(found("captures").tBodies[0], ...game.captures.map(([words, often]) => row(words, often)));
  found("captures").hidden = game.captures.length === 0;
  fillWith(found("happened"), ...game.frames.slice(1).map(({ words }) => node("li", words)));
}

function toTurn(way) {
  const turnAt = (n) => (n in game.frames ? game.frames[n].turn : null);
  let to = at + way;
  while (turnAt(to) === turnAt(at)) to += way;
  if (way < 0) while (to > 0 && turnAt(to - 1) === turnAt(to)) to -= 1; // its beginning
  lookAt(to);
}

// Playing: one action after the other, to the end of the game or until the user goes elsewhere

let playing = 0; // the timer of the next action

function setPlaying(timer) {
  clearTimeout(playing);
  playing = timer;
  found("play").classList.toggle("playing", timer !== 0);
  found("play").setAttribute("aria-label", timer === 0 ? found("play").dataset.play : found("play").dataset.pause);
}

const isAtEnd = () => at === game.frames.length - 1;

function playOn() {
  setPlaying(isAtEnd() ? 0 : setTimeout(() => { goTo(at + 1); playOn(); }, Number(found("speed").value)));
}

function togglePlay() {
  if (playing !== 0) return setPlaying(0);
  if (isAtEnd()) goTo(0);
  playOn();
}

function lookAt(frame) {
  setPlaying(0);
  goTo(frame);
}

const STEPS = {
  ArrowLeft: () => lookAt(at - 1), ArrowRight: () => lookAt(at + 1), Home: () => lookAt(0), End: () => lookAt(Infinity),
  PageDown: () => toTurn(-1), PageUp: () => toTurn(1),
};

addEventListener("keydown", (event) => {
  const arrow = event.key.startsWith("Arrow") && event.target !== found("speed"); // the other keys move the page
  const ours = event.target === slider || arrow;
  if (!game || !ours || !(event.key in STEPS) || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  STEPS[event.key]();
});
slider.addEventListener("input", () => lookAt(Number(slider.value)));
found("play").addEventListener("click", togglePlay);
found("back-one").addEventListener("click", STEPS.ArrowLeft);
found("on-one").addEventListener("click", STEPS.ArrowRight);
found("turn-back").addEventListener("click", STEPS.PageDown);
found("turn-on").addEventListener("click", STEPS.PageUp);

// A finger goes over the board as over pictures: to the left for the next action

let touch = null; // where it began

found("board").addEventListener("touchstart", ({ touches }) => {
  touch = touches.length > 1 ? null : touches[0];
}, { passive: true });
found("board").addEventListener("touchend", ({ changedTouches }) => {
  if (!touch) return;
  const right = changedTouches[0].clientX - touch.clientX, down = changedTouches[0].clientY - touch.clientY;
  if (Math.abs(right) > Math.max(SWIPE, 2 * Math.abs(down))) lookAt(at - Math.sign(right));
});

// The seats that win together: each alone, or partners, who have one chance.
function sides() {
  const first = game.partners ? game.seats.slice(0, 2) : game.seats;
  return first.map((one) => game.seats.filter(([seat]) => seat === one[0] || (game.partners && seat === one[0] + 2)));
}

function listChances(chances) {
  const said = (chance) => (chance === null || chance === undefined ? found("chances").dataset.out : percent(chance));
  const lines = sides().map((side) => {
    const line = node("li");
    line.append(node("span", side.map(([seat]) => LETTERS[seat]).join("+"), "unseen"));
    for (const [seat, name] of side) line.append(badge(seat), node("span", name || "", "name"));
    line.append(node("b", chances ? said(chances[side[0][0]]) : "-"));
    return line;
  });
  fillWith(found("chances"), ...lines);
}

// The curve: the actions from left to right, each seat's line with its own dashes and its mark at the end

const LEFT = 44, RIGHT = 604, TOP = 12, BOTTOM = 222, MARK = 20;
const across = (frame) => LEFT + ((RIGHT - LEFT) * frame) / Math.max(game.frames.length - 1, 1);
const up = (chance) => BOTTOM - (BOTTOM - TOP) * chance;
let cursor = null;

function drawCurve() {
  const svg = found("curve");
  fillWith(svg);
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    make(svg, "line", { x1: LEFT, x2: RIGHT, y1: up(part), y2: up(part), class: "grid" });
    make(svg, "text", { x: LEFT - 6, y: up(part) + 4, class: "scale" }, percent(part));
  }
  const known = game.said.flatMap((frame, n) => (frame.chances ? [[n, frame.chances]] : []));
  const ends = sides().map((side) => [side, drawLine(svg, known, side[0][0])]);
  cursor = make(svg, "line", { y1: TOP, y2: BOTTOM, class: "cursor" });
  drawEnds(svg, ends);
}

function drawLine(svg, known, seat) {
  const there = known.filter(([, chances]) => chances[seat] !== null);
  const points = there.map(([n, chances]) => `${across(n).toFixed(1)},${up(chances[seat]).toFixed(1)}`);
  make(svg, "polyline", { points: points.join(" "), class: `line seat${seat}` });
  return there.length ? up(there.pop()[1][seat]) : up(0);
}

function drawEnds(svg, ends) {
  let above = -Infinity;
  const sorted = [...ends].sort((one, other) => one[1] - other[1]);
  const room = BOTTOM - MARK * (sorted.length - 1);
  sorted.forEach(([side, y], n) => {
    above = Math.max(Math.min(y, room + MARK * n), above + MARK);
    side.forEach(([seat], m) => {
      const size = side.length > 1 ? MARK - 6 : MARK - 2, x = RIGHT + 18 + (size + 1) * (m - (side.length - 1) / 2);
      const transform = `translate(${x} ${above}) scale(${size})`;
      drawMark(make(svg, "g", { transform }), seat);
    });
  });
}

function point() {
  cursor.setAttribute("x1", across(at));
  cursor.setAttribute("x2", across(at));
}

found("curve").addEventListener("click", (event) => {
  const { left, width } = found("curve").getBoundingClientRect();
  const x = ((event.clientX - left) / width) * 640;
  lookAt(Math.round(((x - LEFT) / (RIGHT - LEFT)) * (game.frames.length - 1)));
});

// Luck and skill: show what is ready, and ask again until all is

async function waitForReview(path, leaving) {
  while (!leaving.aborted) {
    const review = await ask(`${path}/review`, leaving, tellOfReview).catch(refused);
    if (!review) return;
    if (review instanceof Refused) return tellOfReview(review.message, true);
    found("review").hidden = review.of === 0;
    if (review.of === 0) return;
    showReview(review);
    if (review.over) return;
    await pause(REVIEW_MS);
  }
}

function tellOfReview(words, isTrouble) {
  if (words && !isTrouble && !found("review").hidden) return; // its progress says more
  found("ready").textContent = words;
  if (words) found("review").hidden = false;
}

function showReview({ progress, chances, seats }) {
  found("ready").textContent = progress;
  refine(chances);
  fillWith(found("seats"), ...seats.map(seatReview));
}

// Put the reviewed chances, each after the play of a throw, in place of the quicker ones
function refine(reviewed) {
  for (const [ended, chances] of reviewed) game.said[ended].chances = chances;
  game.frames = wholeFrames(game.said);
  drawCurve();
  listChances(game.frames[at].chances);
  point();
}

function seatReview({ seat, words, dearest, extremes }) {
  const part = node("section"), head = node("h4", words), headings = found("seats").dataset;
  head.prepend(badge(seat), node("span", LETTERS[seat], "unseen"));
  part.append(head);
  if (dearest.length) part.append(node("h5", headings.dearest), throws(dearest));
  if (extremes.length) part.append(node("h5", headings.extremes), throws(extremes));
  return part;
}

function throws(all) {
  const lines = node("ul");
  for (const { frame, words, better } of all) {
    const line = node("li"), button = node("button", words);
    button.type = "button";
    button.addEventListener("click", () => lookAt(frame));
    line.append(button);
    if (better) line.append(node("p", better));
    lines.append(line);
  }
  return lines;
}

// The statistics: show what is counted, and ask again until all is

async function showStatistics(told, path, leaving) {
  document.title = told.title;
  while (told) {
    found("counted").textContent = told.progress;
    showPlots(found("plots"), told.plots);
    if (told.over) return;
    told = await ask(path, leaving, tell).catch(refused);
    if (told instanceof Refused) return tell(told.message, true);
  }
}

// In the address after #: a game as #7, its action 120 as #7/120, or #statistics

const STATISTICS = "statistics";
let stay = new AbortController(); // ends when the user goes elsewhere

async function show() {
  const [number, frame] = location.hash.slice(1).split("/");
  const path = number ? `games/${encodeURIComponent(number)}` : "games";
  game = null;
  setPlaying(0);
  tell("", false);
  stay.abort();
  stay = new AbortController();
  const told = await ask(path, stay.signal, tell).catch(refused);
  if (!told) return; // another one is asked for by now
  const isRefused = told instanceof Refused;
  found("list").hidden = isRefused || number !== "";
  found("statistics").hidden = isRefused || number !== STATISTICS;
  found("game").hidden = isRefused || number === "" || number === STATISTICS;
  found("back").hidden = number === "";
  found("to-statistics").hidden = number === STATISTICS;
  found("save").hidden = found("game").hidden;
  if (told.home) { // a club has neither a list nor a file of the game
    found("table").textContent = told.home;
    for (const name of ["back", "to-statistics", "save"]) found(name).hidden = true;
  }
  found("save").href = `${path}/file`;
  found("record").hidden = found("game").hidden || !told.export;
  found("record").href = `${path}/record`;
  found("backup").hidden = found("list").hidden || !told.export;
  if (isRefused) tell(told.message, true);
  else if (number === STATISTICS) showStatistics(told, path, stay.signal);
  else if (number) showGame(told, path, frame === undefined ? Infinity : Number(frame) || 0);
  else showList(told);
}

addEventListener("hashchange", show);
show();
