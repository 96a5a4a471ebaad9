// Draws a die by its pips, or six cowries by their mouths. Other faces pass by while they tumble.

import { node } from "./board.js";

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
const PASS_MS = 100;

const SHELLS = 6;
const PASSING = [4, 1, 5, 2, 0, 3]; // mouths up

// Calls `pass` again and again while the thrown is on the page.
function passBy(thrown, pass) {
  const timer = setInterval(() => (thrown.isConnected ? pass() : clearInterval(timer)), PASS_MS);
}

function pieces(count, name, tumbling) {
  const whole = node("span", undefined, tumbling ? `${name} tumbling` : name);
  for (let piece = 0; piece < count; piece++) whole.append(node("i"));
  return whole;
}

function shells({ up, tumbling }) {
  const all = pieces(SHELLS, "shells", tumbling);
  const show = (mouths) => [...all.children].forEach((shell, n) => { shell.className = n < mouths ? "up" : ""; });
  let step = 0;
  show(up);
  if (tumbling) passBy(all, () => show(PASSING[step++ % PASSING.length]));
  return all;
}

export function die(thrown) {
  if (thrown.up !== undefined) return shells(thrown);
  const whole = pieces(9, "die", thrown.tumbling);
  let passing = Math.floor(6 * Math.random());
  turn(whole, thrown.face);
  if (thrown.tumbling) passBy(whole, () => turn(whole, (passing++ % 6) + 1));
  return whole;
}

function turn(whole, face) {
  whole.dataset.face = face;
  [...whole.children].forEach((spot, n) => { spot.className = PIPS[face].includes(n) ? "pip" : ""; });
}
