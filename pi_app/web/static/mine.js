// The seat of whoever looks on: marks it, and calls them at its turn if asked. This browser keeps the choice.

import { LETTERS, badge, fillWith, found, node } from "./board.js";

const KEY = "mine";
const CALL = [[0, 523], [0.2, 784]]; // when each note begins, in seconds, and its pitch
const NOTE_S = 0.18;
const BUZZ_MS = [200, 100, 200];

const own = { seat: null, sound: false, vibration: false, ...kept() };
let audio = null, newest = null;

// A browser may refuse to keep anything.
function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY));
  } catch {
    return {};
  }
}

function keep() {
  try {
    localStorage.setItem(KEY, JSON.stringify(own));
  } catch {
    return;
  }
}

function ring() {
  for (const [after, pitch] of CALL) {
    const voice = audio.createOscillator(), volume = audio.createGain(), at = audio.currentTime + after;
    voice.type = "triangle";
    voice.frequency.value = pitch;
    volume.gain.value = 0.2;
    voice.connect(volume);
    volume.connect(audio.destination);
    voice.start(at);
    voice.stop(at + NOTE_S);
  }
}

function call() {
  if (own.sound && audio) ring();
  if (own.vibration && navigator.vibrate) navigator.vibrate(BUZZ_MS);
}

const isMine = (seat) => seat !== null && seat === own.seat;

function mark() {
  found("me").toggleAttribute("hidden", own.seat !== null);
  fillWith(found("my-badge"), ...(own.seat === null ? [] : [badge(own.seat), node("span", LETTERS[own.seat], "unseen")]));
  for (const line of found("standings").children) line.classList.toggle("mine", isMine(Number(line.dataset.seat)));
  document.querySelector("main").classList.toggle("my-turn", newest !== null && isMine(newest.turn));
}

export function followMine(state) {
  const before = newest;
  newest = state;
  if (before !== null && before.turn !== state.turn && isMine(state.turn)) call();
  mark();
}

function choose(values) {
  Object.assign(own, values);
  keep();
  mark();
}

// A browser plays nothing before it has been touched.
function letSound() {
  if (own.sound && !audio) audio = new (window.AudioContext || window.webkitAudioContext)();
}

for (const touch of ["click", "keydown"]) addEventListener(touch, letSound, true);

for (const way of ["sound", "vibration"]) {
  found(way).checked = own[way];
  found(way).addEventListener("change", ({ target }) => {
    choose({ [way]: target.checked });
    letSound();
    if (target.checked) call();
  });
}
found("vibration").parentNode.hidden = !navigator.vibrate;
found("my-seat").value = own.seat === null ? "" : own.seat;
found("my-seat").addEventListener("change", ({ target }) => choose({ seat: target.value === "" ? null : Number(target.value) }));
found("mine").addEventListener("keydown", ({ key }) => {
  if (key !== "Escape") return;
  found("mine").open = false;
  found("mine").querySelector("summary").focus();
});
mark();
