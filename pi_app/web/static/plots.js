// Draws plots of the statistics: bars, bands and marks as SVG, with their numbers as a table below.

import { fillWith, make, node } from "./board.js";
import { LANGUAGE } from "./texts.js";

const WIDTH = 320, PLOT_LEFT = 10, PLOT_RIGHT = 310, ROW = 44, AXIS = 22;
const MOST = 12; // rows of a drawing; its table has all
const MOST_LINES = 5;
const numbers = new Intl.NumberFormat(LANGUAGE);
const said = (cell) => (typeof cell === "number" ? numbers.format(cell) : cell);

const MARKS = {
  diamond: (x, y) => `M${x} ${y - 7}L${x + 7} ${y}L${x} ${y + 7}L${x - 7} ${y}Z`,
  ring: (x, y) => `M${x - 6} ${y}a6 6 0 1 0 12 0a6 6 0 1 0 -12 0Z`,
  tick: (x, y) => `M${x - 2} ${y - 11}h4v22h-4Z`,
};

export function showPlots(place, plots) {
  fillWith(place, ...plots.map((plot) => showPlot(plot, place.dataset.numbers)));
}

function showPlot(plot, title) {
  const part = node("section"), more = node("details");
  more.append(node("summary", title), tableOf(plot));
  part.append(node("h3", plot.title), drawing(plot));
  if (plot.note) part.append(node("p", plot.note, "meaning"));
  part.append(more);
  return part;
}

function drawing({ title, rows }) {
  const shown = rows.slice(0, MOST), bottom = ROW * shown.length;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", `0 0 ${WIDTH} ${bottom + AXIS}`);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", title);
  const ends = shown.flatMap(({ bar, band, marks }) => [bar, ...band, ...Object.values(marks)]);
  const from = Math.min(0, ...ends), to = Math.max(1, ...ends);
  const across = (value) => PLOT_LEFT + ((PLOT_RIGHT - PLOT_LEFT) * (value - from)) / (to - from);
  for (const value of lines(from, to)) {
    make(svg, "line", { x1: across(value), x2: across(value), y1: 0, y2: bottom, class: value === 0 ? "zero" : "grid" });
    make(svg, "text", { x: across(value), y: bottom + 15, class: "scale" }, numbers.format(value));
  }
  shown.forEach((row, n) => drawRow(svg, row, ROW * n, across));
  return svg;
}

function drawRow(svg, { label, value, bar, band, marks }, top, across) {
  const middle = top + 30, box = (from, to, height, name) =>
    make(svg, "rect", { x: across(from), y: middle - height / 2, width: across(to) - across(from), height, class: name });
  make(svg, "text", { x: PLOT_LEFT, y: top + 14, class: "label" }, said(label));
  make(svg, "text", { x: PLOT_RIGHT, y: top + 14, class: "value" }, said(value));
  if (band.length) box(...band, 18, "band");
  if (bar) box(0, bar, 8, "bar");
  for (const [kind, at] of Object.entries(marks)) make(svg, "path", { d: MARKS[kind](across(at), middle), class: kind });
}

// Round numbers from one end of a scale to the other
function lines(from, to) {
  const unit = 10 ** Math.floor(Math.log10((to - from) / MOST_LINES));
  const step = [1, 2, 5, 10].map((of) => of * unit).find((one) => one >= 1 && (to - from) / one <= MOST_LINES) || 1;
  const found = [];
  for (let n = Math.ceil(from / step); n * step <= to; n += 1) found.push(n * step || 0); // "-0" is no number
  return found;
}

function tableOf({ head, rows }) {
  const table = node("table"), top = node("thead"), body = node("tbody");
  const cells = (tag, all) => all.map((cell) => node(tag, said(cell)));
  const headings = node("tr");
  headings.append(...cells("th", head));
  for (const cell of headings.children) cell.scope = "col";
  top.append(headings);
  for (const { label, cells: own } of rows) {
    const row = node("tr"), first = node("th", said(label));
    first.scope = "row";
    row.append(first, ...cells("td", own));
    body.append(row);
  }
  table.append(top, body);
  return table;
}

// Paper has nothing to open.
addEventListener("beforeprint", () => {
  for (const one of document.querySelectorAll("#plots details")) one.open = true;
});
