// The page of the simulated table: shows the newest state, and sends each press and release.

import { Board, LETTERS, badge, changed, drawMark, fillWith, found, node, pause, placesOf } from "./board.js";
import { cheer } from "./cheer.js";
import { die } from "./dice.js";
import { follow } from "./stream.js";
import { fill } from "./texts.js";

begin();

const KEYS = [["q", "w"], ["o", "p"], ["e", "r"], ["u", "i"]]; // OK and NEXT of seats A to D
const TAB = String(Math.random()).slice(2);
const byKey = new Map([[" ", "dome"]]);
const TAP_MS = 100;
const BEAT_MS = 100; // how often a button that is down is confirmed
const CLICK_MS = 600; // a shorter press is no hold: it needs no beat
const board = new Board(found("board"));

// Presses: one request at a time, so that a release never overtakes its press. It may come late, so it
// says how long the button was down. A hold counts only once a beat has confirmed it.

let sent = Promise.resolve(), unsent = 0;
const mine = new Map(); // button -> the fingers of this tab on it, and since when

function send(touch) {
  const body = JSON.stringify({ tab: TAB, ...touch });
  const headers = { "Content-Type": "application/json" };
  unsent += 1;
  sent = sent.then(() => fetch("finger", { method: "POST", headers, body })).catch(() => {})
    .then(() => { unsent -= 1; });
}

const msSince = (since, at) => Math.max(0, Math.round(at - since));

// at: when it happened, by the clock of `performance`.
function press(button, finger, at) {
  if (!mine.has(button)) mine.set(button, { fingers: new Set(), since: 0 });
  const touch = mine.get(button);
  touch.fingers.add(finger);
  if (touch.fingers.size === 1) {
    touch.since = at;
    send({ button, down: true });
  }
  paintHeld();
}

function lift(button, finger, at = performance.now()) {
  const touch = mine.get(button);
  if (touch && touch.fingers.delete(finger) && touch.fingers.size === 0)
    send({ button, down: false, ms: msSince(touch.since, at) });
  paintHeld();
}

let beatAt = performance.now();

function beat() {
  const now = performance.now(), late = now - beatAt > 2 * BEAT_MS; // then a release may wait behind this beat
  beatAt = now;
  if (late || unsent > 0) return;
  for (const [button, { fingers, since }] of mine)
    if (fingers.size > 0 && now - since > CLICK_MS) send({ button, down: true, ms: msSince(since, now) });
}

setInterval(beat, BEAT_MS);

function liftAll() {
  stopTyping();
  for (const [button, { fingers }] of mine) for (const finger of [...fingers]) lift(button, finger);
}

function wirePointers(node, button) {
  node.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    node.setPointerCapture(event.pointerId);
    press(button, event.pointerId, event.timeStamp);
  });
  for (const end of ["pointerup", "pointercancel", "lostpointercapture"])
    node.addEventListener(end, (event) => lift(button, event.pointerId, event.timeStamp));
}

// Safari 12 has no pointer events.
function wireTouches(node, button) {
  node.addEventListener("touchstart", (event) => {
    event.preventDefault(); // of the mouse events that would follow
    for (const touch of Array.from(event.changedTouches)) press(button, touch.identifier, event.timeStamp);
  });
  for (const end of ["touchend", "touchcancel"])
    node.addEventListener(end, (event) => {
      for (const touch of Array.from(event.changedTouches)) lift(button, touch.identifier, event.timeStamp);
    });
  node.addEventListener("mousedown", (event) => event.button === 0 && press(button, "mouse", event.timeStamp));
  addEventListener("mouseup", (event) => lift(button, "mouse", event.timeStamp));
}

function wire(node, button) {
  node.dataset.button = button;
  if (window.PointerEvent) wirePointers(node, button);
  else wireTouches(node, button);
  node.addEventListener("mousedown", (event) => event.preventDefault()); // the keys stay the page's
  node.addEventListener("contextmenu", (event) => event.preventDefault());
  node.addEventListener("keydown", (event) => {
    if (!isOwnKey(event)) return;
    event.preventDefault();
    if (!event.repeat) press(button, event.code, event.timeStamp);
  });
  node.addEventListener("keyup", (event) => {
    if (!isOwnKey(event)) return;
    event.preventDefault();
    lift(button, event.code, event.timeStamp);
  });
  node.addEventListener("blur", () => ["Enter", "NumpadEnter", "Space"].forEach((key) => lift(button, key)));
  node.addEventListener("click", (event) => event.detail === 0 && tap(button)); // by a screen reader: no finger
}

function tap(button) {
  const at = performance.now();
  press(button, "tap", at);
  setTimeout(() => lift(button, "tap", at + TAP_MS), TAP_MS);
}

// The keys 1 to 6 type a die while the table asks for one, and 0 to 6 how many cowries lie mouth up. They press the buttons as a finger would, and
// check the effect: NEXT until the display shows the face, then OK until the table takes the die.

const FACES = ["0", "1", "2", "3", "4", "5", "6"];
const DEAF_MS = 450; // a little longer than an OK does nothing after the table has asked anew
const ANSWER_MS = 3000; // longer than any button is held
let asked = null, askedAt = 0; // the die that the table asks for, and when it was first seen to do so
let faces = [], typing = false; // what each die of this throw is to be, in the order of the dice
let answered = () => {};

function ask(die) {
  const before = asked;
  asked = die;
  if (!before || !die || die.throw !== before.throw) faces = [];
  if (!before || !die || ["throw", "die", "awake"].some((part) => die[part] !== before[part])) askedAt = performance.now();
  answered();
}

function typeFace(face) {
  const die = Math.max(asked.die, faces.length);
  if (die < asked.dice) faces[die] = face;
  if (!typing) typeAll();
}

async function typeAll() {
  typing = true;
  while (asked && faces[asked.die] !== undefined) await typeOn(faces[asked.die]);
  typing = false;
}

async function typeOn(face) {
  const confirms = asked.awake && asked.face === face, deaf = askedAt + DEAF_MS - performance.now();
  if (confirms && deaf > 0) return pause(deaf); // and then look anew
  const before = JSON.stringify(asked), button = confirms ? asked.confirm : asked.count;
  const at = performance.now();
  press(button, "face", at);
  await pause(TAP_MS);
  if (!confirms) lift(button, "face", at + TAP_MS);
  if (!await otherThan(before)) faces = [];
  lift(button, "face");
}

// Whether the table asks for something else within ANSWER_MS, or for no die any more.
function otherThan(before) {
  return new Promise((tell) => {
    const late = setTimeout(() => tell(false), ANSWER_MS);
    answered = () => {
      if (JSON.stringify(asked) === before && faces.length > 0) return;
      clearTimeout(late);
      tell(true);
    };
    answered();
  });
}

function stopTyping() {
  faces = [];
  answered();
}

// Space and Enter belong to the focused control, the page's other keys to the table.

const isOwnKey = (event) => event.key === " " || event.key === "Enter";
const isElsewhere = (event) => event.target.closest(isOwnKey(event) ? "button, a, input, select" : "select") !== null;

let keysOn = true;

addEventListener("keydown", (event) => {
  const button = byKey.get(event.key.toLowerCase());
  if (!button || !keysOn || isElsewhere(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (!event.repeat) press(button, event.code, event.timeStamp);
});
addEventListener("keydown", (event) => {
  const face = FACES.indexOf(event.key);
  if (!asked || face < asked.first || !keysOn || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  if (!event.repeat) typeFace(face);
});
addEventListener("keyup", (event) => {
  for (const button of byKey.values()) lift(button, event.code, event.timeStamp);
});
addEventListener("blur", liftAll);
addEventListener("pagehide", liftAll);

function turn(control, on) {
  control.setAttribute("aria-checked", String(on));
  const says = control.querySelector("span");
  says.textContent = on ? says.dataset.on : says.dataset.off;
}

function setKeys(on) {
  keysOn = on;
  liftAll();
  turn(found("keys"), on);
  document.body.classList.toggle("no-keys", !on);
}

// A browser may store nothing for a page: then the keys are on each time.
function recall(name) {
  try { return localStorage.getItem(name); } catch { return null; }
}

function remember(name, value) {
  try { localStorage.setItem(name, value); } catch { /* as above */ }
}

found("keys").addEventListener("click", () => {
  setKeys(!keysOn);
  remember("keys", keysOn ? "on" : "off");
});
setKeys(recall("keys") !== "off");

// Consoles, built once

function buildConsole(node) {
  const seat = Number(node.dataset.seat);
  const pattern = found("console");
  node.append(pattern.content.cloneNode(true));
  node.classList.add(`seat${seat}`);
  node.setAttribute("role", "group");
  node.setAttribute("aria-label", fill(pattern.dataset.player, "seat", LETTERS[seat]));
  drawMark(node.querySelector(".badge svg"), seat);
  ["ok", "next"].forEach((kind, index) => {
    const key = KEYS[seat][index], button = `${LETTERS[seat]}.${kind}`;
    const place = node.querySelector(`.${kind}`);
    place.querySelector("kbd").dataset.key = key; // drawn, not written: who speaks to a browser says "A OK"
    place.setAttribute("aria-label", fill(place.dataset.called, "seat", LETTERS[seat]));
    byKey.set(key, button);
    wire(place, button);
  });
}

document.querySelectorAll(".console").forEach(buildConsole);
wire(document.querySelector(".dome"), "dome");

// The words of the table

const displays = [...document.querySelectorAll(".glass canvas")];

function paintDisplays(frames) {
  document.querySelector(".glass").classList.toggle("two", frames.length > 1);
  displays.forEach((canvas, n) => {
    canvas.hidden = n >= frames.length;
    if (frames[n]) paintDisplay(canvas.getContext("2d"), frames[n]);
  });
}

function paintDisplay(ink, frame) {
  const bits = atob(frame), image = ink.createImageData(128, 64);
  for (let pixel = 0; pixel < 128 * 64; pixel++) {
    const lit = (bits.charCodeAt(pixel >> 3) >> (7 - (pixel & 7))) & 1;
    image.data.set(lit ? [196, 236, 255, 255] : [4, 9, 14, 255], pixel * 4);
  }
  ink.putImageData(image, 0, 0);
}

let held = [];
function paintHeld() {
  for (const node of document.querySelectorAll("[data-button]")) {
    const button = node.dataset.button;
    node.classList.toggle("down", held.includes(button) || (mine.has(button) && mine.get(button).fingers.size > 0));
  }
}

function paintLamps(lamps) {
  document.querySelectorAll(".console").forEach((node) => {
    const lamp = lamps[Number(node.dataset.seat)];
    node.dataset.lamp = lamp;
    const place = node.querySelector(".lamp");
    place.hidden = !lamp;
    if (lamp) place.setAttribute("aria-label", place.dataset[lamp]);
  });
}

function paintTurn(turn) {
  for (const node of document.querySelectorAll(".console"))
    node.querySelector(".turn").hidden = Number(node.dataset.seat) !== turn;
}

// A seat without a panel has a console only if a bot sits there.
function paintSits(sits) {
  for (const node of document.querySelectorAll(".console")) {
    const place = node.querySelector(".sits"), who = sits[Number(node.dataset.seat)];
    place.hidden = !who;
    place.textContent = who;
    node.hidden = !who && !node.querySelector("button:not([hidden])");
  }
}

function paintDice(dice) {
  if (changed("dice", dice)) fillWith(found("dice"), ...dice.map(die));
}

// A table without a dome, or with one-button panels: hide what is missing, also in the help.
function paintButtons(buttons) {
  for (const node of document.querySelectorAll("[data-button]")) node.hidden = !buttons.includes(node.dataset.button);
  const kinds = buttons.map((button) => button.split(".").pop());
  found("throw").hidden = !kinds.includes("dome") || asked !== null;
  found("type").hidden = asked === null;
  for (const node of document.querySelectorAll("[data-with]")) node.hidden = !kinds.includes(node.dataset.with);
  for (const node of document.querySelectorAll("[data-without]")) node.hidden = kinds.includes(node.dataset.without);
}

// The words for what is thrown: dice or cowries.
function paintThrown(thrown) {
  const dome = document.querySelector(".dome");
  dome.setAttribute("aria-label", dome.dataset[thrown]);
  for (const node of document.querySelectorAll("[data-thrown]")) node.hidden = node.dataset.thrown !== thrown;
}

// The buzzer, off until the user turns it on: the notes of the real one

const NOTES = { C: 0, D: 2, E: 4, F: 5, G: 7, A: 9, B: 11 };
let audio = null, heard = null;

function pitch(note) {
  const above = 12 * (Number(note.slice(-1)) - 4) + NOTES[note[0]] - NOTES.A;
  return 440 * 2 ** (above / 12);
}

function sing(notes) {
  let at = audio.currentTime;
  for (const [note, seconds] of notes) {
    if (note) {
      const voice = audio.createOscillator(), volume = audio.createGain();
      voice.type = "square";
      voice.frequency.value = pitch(note);
      volume.gain.value = 0.04;
      voice.connect(volume);
      volume.connect(audio.destination);
      voice.start(at);
      voice.stop(at + seconds);
    }
    at += seconds;
  }
}

function hear({ count, notes }) {
  if (audio && heard !== null && count > heard) sing(notes);
  heard = count;
}

found("sound").addEventListener("click", (event) => {
  audio = audio ? (audio.close(), null) : new (window.AudioContext || window.webkitAudioContext)();
  turn(event.currentTarget, audio !== null);
});

// For screen readers: the display's words, and where each pawn is. A live region reads whatever is put
// into it: the parts of a screen that are new under its heading, or all of them; all again if a press led
// back to them; and once each text beside them, such as why a press did nothing, or a device's notice.

let said = { parts: [], times: null }; // no times before a connection's first state: it may be no news

function say(says) {
  const { parts } = says, before = said.parts, again = said.times !== null && says.times !== said.times;
  said = says;
  const anew = parts.some((part) => !before.includes(part)), place = found("says");
  if (!again && !anew && parts.length === before.length) return;
  const isKept = (node) => anew && parts[0] === before[0] && parts.includes(node.textContent.trim());
  for (const node of [...place.children]) if (!isKept(node)) node.remove();
  parts.forEach((part, n) => {
    const there = place.children[n] || null;
    if (!there || there.textContent.trim() !== part) place.insertBefore(node("span", `${part} `), there);
  });
  while (place.children.length > parts.length) place.lastChild.remove();
}

function sayAside(asides) {
  const place = found("aside"), keys = asides.map(([key]) => key);
  for (const node of [...place.children]) if (!keys.includes(node.dataset.key)) node.remove();
  const there = [...place.children].map((node) => node.dataset.key);
  for (const [key, words] of asides) {
    if (there.includes(key)) continue;
    place.append(node("p", words));
    place.lastChild.dataset.key = key;
  }
}

function listPlaces(places) {
  if (!changed("places", places)) return;
  fillWith(found("places").tBodies[0], ...places.map(placesOf));
  found("places").hidden = places.length === 0;
}

// The moves by hand, in words, and what has happened

function moveLine({ seat, words }) {
  const line = node("li", words);
  line.prepend(badge(seat));
  return line;
}

function listMoves(moves) {
  if (changed("moves", moves)) fillWith(found("moves"), ...moves.map(moveLine));
}

function tellHappened(lines) {
  if (changed("happened", lines)) fillWith(found("happened").querySelector("ol"), ...lines.map(([, line]) => node("li", line)));
}

// The help is there until a turn has been played, before each later game, and whenever somebody asks for it.

let learned = false;

function teach(turns, lines) {
  learned = learned || turns > 1;
  const needed = !learned || lines.length === 0;
  if (changed("help", needed)) showHelp(needed);
}

function showHelp(on) {
  found("help").setAttribute("aria-expanded", String(on));
  found("hints").classList.toggle("away", !on);
  found("happened").classList.toggle("away", on);
}

found("help").addEventListener("click", ({ currentTarget }) => {
  showHelp(currentTarget.getAttribute("aria-expanded") === "false");
});

// What spectators see goes beside this page, for who plays and watches at one computer. A phone has no room: it opens a tab.

found("watch").addEventListener("click", (event) => {
  if (matchMedia("(hover: hover)").matches && open(event.currentTarget.href, "spectators", "width=960,height=540")) event.preventDefault();
});

// The stream of states

let newest = null, painting = false;

async function paint(told) {
  newest = told;
  ask(told.typing || null);
  if (painting) return;
  painting = true;
  await paintAll().finally(() => { painting = false; });
}

async function paintAll() {
  while (newest) {
    const state = newest;
    newest = null;
    held = state.held;
    paintDisplays(state.frames);
    found("says").classList.toggle("unseen", !state.dark); // else the display shows it
    paintLamps(state.lamps);
    paintDice(state.dice);
    paintButtons(state.buttons);
    paintThrown(state.thrown || "dice");
    paintHeld();
    hear(state.tones);
    say(state.says);
    sayAside(state.asides || []);
    paintTurn(state.turn);
    paintSits(state.sits || []);
    listPlaces(state.places);
    listMoves(state.moves || []);
    tellHappened(state.happened || []);
    teach(state.turns, state.happened || []);
    cheer(state.cheer || []);
    if (state.board) {
      document.querySelector(".table").classList.toggle("clockwise", state.board.includes("/clockwise/"));
      await board.show(state);
    }
  }
}

function tell(trouble) {
  const place = found("lost");
  place.hidden = trouble === "";
  if (place.textContent !== trouble) place.textContent = trouble;
}

follow({
  path: `stream?tab=${TAB}`,
  opened: () => { said.times = null; },
  show: paint,
  tell,
  gone: found("lost").dataset.gone,
});
document.addEventListener("visibilitychange", () => document.hidden && liftAll());
