// A die as it lies on the table, by its pips.

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };

export function die({ face, tumbling }) {
  const node = document.createElement("span");
  node.className = tumbling ? "die tumbling" : "die";
  node.dataset.face = face;
  for (let spot = 0; spot < 9; spot++) {
    node.append(document.createElement("i"));
    if (PIPS[face].includes(spot)) node.lastChild.className = "pip";
  }
  return node;
}
