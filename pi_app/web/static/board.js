// Draws the board and its pawns as SVG, from the geometry and the places that the table sends.

const SVG = "http://www.w3.org/2000/svg";
export const LETTERS = "ABCD";
const WAY_OUT = [-7, -6, -5, -4, -3, -2, -1]; // the places between a cloth's centre and its ring
const FETCH_MS = 5000; // a connection that is dead would keep us waiting for ever

export const found = (id) => document.getElementById(id);
export const pause = (ms) => new Promise((done) => setTimeout(done, ms));

export function make(parent, tag, attributes, text) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  parent.append(node);
  return node;
}

export function fillWith(place, ...parts) {
  place.textContent = "";
  place.append(...parts);
}

export function node(tag, text, name) {
  const made = document.createElement(tag);
  if (text !== undefined) made.textContent = text;
  if (name) made.className = name;
  return made;
}

// The row of a table: a seat's letter, and where each of its pawns is.
export function placesOf([seat, ...pawns]) {
  const row = node("tr"), head = node("th", seat);
  head.scope = "row";
  row.append(head, ...pawns.map((place) => node("td", place)));
  return row;
}

const drawn = new Map();

// Whether a part has another value than before. A part that stays as it is keeps a screen reader's place.
export function changed(name, value) {
  const text = JSON.stringify(value);
  if (drawn.get(name) === text) return false;
  drawn.set(name, text);
  return true;
}

// Each seat's shape, as on the display: solid, hollow, plus, diagonal. Colour alone would not be enough.
const OUTLINES = [
  "M-.46-.46H.46V.46H-.46Z",
  "M-.46-.46H.46V.46H-.46ZM-.25-.25V.25H.25V-.25Z",
  "M-.21-.5H.21V-.21H.5V.21H.21V.5H-.21V.21H-.5V-.21H-.21Z",
  "M.19-.5H.5V-.19L-.19.5H-.5V.19Z",
];
const HOLLOW = 1;
const STAR = "0.00,-0.44 0.11,-0.15 0.42,-0.14 0.18,0.06 0.26,0.36 0.00,0.18 -0.26,0.36 -0.18,0.06 -0.42,-0.14 -0.11,-0.15";
const GLOBE = "M-.34 0H.34M0-.34V.34M0-.34A.18 .34 0 0 0 0 .34A.18 .34 0 0 0 0-.34";

export function drawMark(parent, seat) {
  const mark = make(parent, "g", { class: `mark seat${seat}` });
  if (seat === HOLLOW) make(mark, "rect", { x: -0.4, y: -0.4, width: 0.8, height: 0.8, class: "hollow" });
  make(mark, "path", { d: OUTLINES[seat], class: "body" });
  make(mark, "text", { y: 0.215, class: seat === HOLLOW ? "letter dark" : "letter" }, LETTERS[seat]);
  return mark;
}

// A seat's mark beside words that name the seat.
export function badge(seat) {
  const svg = make(node("span"), "svg", { viewBox: "-0.5 -0.5 1 1", "aria-hidden": "true", class: "own" });
  drawMark(svg, seat);
  return svg;
}

function drawCell(parent, [x, y], kind) {
  make(parent, "rect", { x: x - 0.47, y: y - 0.47, width: 0.94, height: 0.94, rx: 0.12, class: `cell ${kind}` });
}

// A circle about four pawns, or about a line of them a strip with round ends.
function drawRound(parent, [left, top], [right, low], edge, name) {
  const width = right - left + 2 * edge, height = low - top + 2 * edge;
  make(parent, "rect", { x: left - edge, y: top - edge, width, height, rx: Math.min(width, height) / 2, class: name });
}

function drawNest(parent, seat, spots, edge, cloth) {
  const [first, , , last] = [...spots].sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  const across = last[0] - first[0], isLine = !(across && last[1] - first[1]);
  if (!cloth) {
    drawRound(parent, first, last, edge, `nest seat${seat}`);
    drawRound(parent, first, last, edge - (isLine ? 0.12 : 0.42), "nest-inner");
  }
  if (!isLine) { // The letter is between the pawns: smaller where they are nearer to each other.
    const middle = `translate(${first[0] + across / 2} ${(first[1] + last[1]) / 2})`;
    const transform = `${middle} scale(${(across - 0.9) / 1.2})`;
    make(parent, "text", { y: 0.42, transform, class: `nest-letter seat${seat}` }, LETTERS[seat]);
  }
  for (const [cx, cy] of spots) make(parent, "circle", { cx, cy, r: isLine ? 0.3 : 0.5, class: "spot" });
}

// On a ladder the home rows end beside the middle, so home is one cell.
function isLadder({ centre: [cx, cy], rows, homes }) {
  const [x, y] = rows[0][rows[0].length - 1];
  return homes.length > 0 && Math.abs(x - cx) + Math.abs(y - cy) < 1.5;
}

function drawHome(parent, geometry) {
  const [cx, cy] = geometry.centre, half = isLadder(geometry) ? 0.47 : 1.47;
  geometry.homes.forEach((spot, seat) => {
    const dx = Math.sign(Math.round(spot[0] - cx)), dy = Math.sign(Math.round(spot[1] - cy));
    const [px, py] = [-dy, dx];
    const corners = [[0, 0], [dx + px, dy + py], [dx - px, dy - py]];
    const points = corners.map(([x, y]) => `${cx + x * half},${cy + y * half}`).join(" ");
    make(parent, "polygon", { points, class: `home seat${seat}` });
  });
  make(parent, "circle", { cx, cy, r: half > 1 ? 0.3 : 0.15, class: "home-hub" });
}

function drawCardboard(parent, geometry) {
  const side = (border) => ({ x: -border, y: -border, width: geometry.size + 2 * border, height: geometry.size + 2 * border });
  make(parent, "rect", { ...side(0.4), rx: 0.7, class: "card" });
  make(parent, "rect", { ...side(0.12), rx: 0.5, class: "rim" });
  geometry.nests.forEach((spots, seat) => drawNest(parent, seat, spots, geometry.nestEdge, geometry.cloth));
  geometry.ring.forEach((at, space) => drawCell(parent, at, geometry.safety.includes(space) ? "safe" : ""));
  geometry.safety.forEach((space) => {
    const [cx, cy] = geometry.ring[space];
    if (geometry.cloth) make(parent, "path", { d: `M${cx - 0.47} ${cy - 0.47}l.94 .94m0-.94l-.94 .94`, class: "fort" });
    else make(parent, "circle", { cx, cy, r: 0.34, class: geometry.stars ? "globe" : "haven" });
    if (geometry.stars) make(parent, "path", { d: GLOBE, transform: `translate(${cx} ${cy})`, class: "globe" });
  });
  for (const space of geometry.stars || []) {
    make(parent, "polygon", { points: STAR, transform: `translate(${geometry.ring[space]})`, class: "star" });
  }
  geometry.rows.forEach((row, seat) => row.forEach(([x, y], n) => {
    drawCell(parent, [x, y], `row seat${seat}`);
    if (isLadder(geometry)) make(parent, "text", { x, y: y + 0.215, class: "rung" }, n + 1);
  }));
  if (!geometry.cloth) geometry.entries.forEach((space, seat) => {
    const [cx, cy] = geometry.ring[space];
    make(parent, "circle", { cx, cy, r: 0.38, class: `entry seat${seat}` });
    make(parent, "text", { x: cx, y: cy + 0.215, class: `entry-letter seat${seat}` }, LETTERS[seat]);
  });
  if (geometry.homes.length) drawHome(parent, geometry);
}

const fetched = new Map(); // many small boards are of one kind

// Returns null if the table does not answer.
function fetchBoard(name) {
  if (!fetched.has(name)) fetched.set(name, askForBoard(name));
  return fetched.get(name);
}

async function askForBoard(name) {
  const patience = new AbortController();
  setTimeout(() => patience.abort(), FETCH_MS);
  const answer = await fetch(`board/${name}`, { signal: patience.signal }).catch(() => null);
  const text = answer && answer.ok ? await answer.text().catch(() => null) : null;
  return text === null ? null : JSON.parse(text);
}

export class Board {
  constructor(svg) {
    this.svg = svg;
    this.name = "";
    this.pawns = [];
  }

  // A newer state may come while a board is fetched. Draw the newest, in whatever order answers come.
  // Returns false if the table does not answer.
  async show(state) {
    this.newest = state;
    if (state.board !== this.name) {
      const geometry = await fetchBoard(state.board);
      const isWanted = state.board === this.newest.board && state.board !== this.name;
      fetched.delete(state.board); // what can't be drawn is asked for again
      if (geometry !== null && isWanted) this.lay(state.board, geometry);
      if (geometry !== null) fetched.set(state.board, Promise.resolve(geometry));
    }
    if (state !== this.newest) return true;
    if (state.board !== this.name) return false;
    this.place(state.pawns);
    this.mark(state);
    return true;
  }

  lay(name, geometry) {
    fillWith(this.svg);
    this.svg.setAttribute("viewBox", `-0.55 -0.55 ${geometry.size + 1.1} ${geometry.size + 1.1}`);
    this.pawns = [];
    const drawn = make(this.svg, "g", { "aria-hidden": "true" }); // the list of places says it in words
    drawCardboard(make(drawn, "g", {}), geometry);
    this.under = make(drawn, "g", { class: "marks" });
    this.pieces = make(drawn, "g", {});
    this.over = make(drawn, "g", { class: "marks" });
    this.marked = "";
    this.name = name;
  }

  // A pawn stays where the seat had one before; the seat's other pawns move, so that each move is visible.
  place(pawns) {
    const free = [...this.pawns];
    const take = (fits) => {
      const index = free.findIndex(fits);
      return index < 0 ? null : free.splice(index, 1)[0];
    };
    const settled = pawns.map((pawn) => [pawn, take((old) => old.key === pawn.join())]);
    this.pawns = settled.map(([pawn, old]) => this.settle(pawn, old || take((other) => other.seat === pawn[0])));
    for (const old of free) old.node.remove();
  }

  settle(pawn, old) {
    const [seat, place, x, y, size] = pawn;
    const node = old ? old.node : this.carve(seat);
    if (old && old.key !== pawn.join()) this.pieces.append(node);
    node.style.transform = `translate(${x}px, ${y}px) scale(${size})`;
    node.dataset.place = place;
    node.classList.toggle("out", WAY_OUT.includes(place));
    return { seat, key: pawn.join(), node };
  }

  carve(seat) {
    const node = make(this.pieces, "g", { class: "pawn", "data-seat": seat });
    drawMark(node, seat);
    return node;
  }

  // A move by hand: a dotted way with an arrow, from a broken ring to a full one, and the pawn's
  // shape at the end where it is not. A spot to look at has a ring of its own.
  mark({ moves, looks }) {
    const marked = JSON.stringify([moves, looks]);
    if (marked === this.marked) return;
    this.marked = marked;
    fillWith(this.under);
    fillWith(this.over);
    for (const [cx, cy] of looks) make(this.under, "circle", { cx, cy, r: 0.66, class: "look" });
    for (const move of moves) this.drawMove(move);
  }

  drawMove({ seat, trail, there }) {
    const [before, last] = trail.slice(-2);
    const [fx, fy] = trail[0], [tx, ty] = last, ghost = there ? trail[0] : last;
    const points = trail.map((at) => at.join()).join(" ");
    make(this.under, "polyline", { points, class: `way seat${seat}` });
    make(this.under, "circle", { cx: fx, cy: fy, r: 0.66, class: `from seat${seat}` });
    make(this.under, "circle", { cx: tx, cy: ty, r: 0.66, class: `to seat${seat}` });
    drawMark(make(this.under, "g", { class: "ghost", transform: `translate(${ghost}) scale(0.8)` }), seat);
    const [bx, by] = before, turned = (Math.atan2(ty - by, tx - bx) * 180) / Math.PI;
    const transform = `translate(${tx} ${ty}) rotate(${turned})`;
    make(this.over, "path", { d: "M-.56 0L-.94-.28V.28Z", transform, class: `arrow seat${seat}` });
  }
}
