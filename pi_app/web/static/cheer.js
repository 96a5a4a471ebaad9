// Celebrates the winners with the mark of their seat, or of both seats of a side, large and as confetti,
// over the page. It takes no presses and has no words: the table's words say it.

import { drawMark, fillWith, make, node } from "./board.js";

const PIECES = 30;
const place = node("div", undefined, "cheer");
place.setAttribute("aria-hidden", "true");
place.hidden = true;
document.body.append(place);

let shown = "[]";

function mark(seat, name) {
  const svg = make(place, "svg", { viewBox: "-0.5 -0.5 1 1", class: name });
  drawMark(svg, seat);
  return svg;
}

function drop(seat, n) {
  const piece = mark(seat, "piece");
  piece.style.setProperty("--at", (n * 37) % 100); // % of the width; where nothing may move, the next of the height
  piece.style.setProperty("--rest", (n * 61) % 100);
  piece.style.setProperty("--size", `${1.4 + (n % 3) * 0.7}rem`);
  piece.style.setProperty("--for", `${2.4 + (n % 4) * 0.4}s`);
  piece.style.setProperty("--from", `${-((n * 0.31) % 2.4)}s`);
}

// seats: those that have won, during the celebration, otherwise none.
export function cheer(seats) {
  if (JSON.stringify(seats) === shown) return;
  shown = JSON.stringify(seats);
  fillWith(place);
  place.hidden = seats.length === 0;
  if (place.hidden) return;
  for (let n = 0; n < PIECES; n++) drop(seats[n % seats.length], n);
  seats.forEach((seat, n) => mark(seat, "winner").style.setProperty("--aside", 2 * n + 1 - seats.length));
}
