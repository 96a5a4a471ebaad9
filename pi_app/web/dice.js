// Draws a die by its pips. Other faces pass by while it tumbles.

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
const PASS_MS = 100;

export function die({ face, tumbling }) {
  const node = document.createElement("span");
  node.className = tumbling ? "die tumbling" : "die";
  for (let spot = 0; spot < 9; spot++) node.append(document.createElement("i"));
  turn(node, face);
  if (tumbling) tumble(node);
  return node;
}

function turn(node, face) {
  node.dataset.face = face;
  [...node.children].forEach((spot, n) => { spot.className = PIPS[face].includes(n) ? "pip" : ""; });
}

function tumble(node) {
  let face = Math.floor(6 * Math.random());
  const timer = setInterval(() => {
    if (!node.isConnected) return clearInterval(timer);
    face = (face + 1) % 6;
    turn(node, face + 1);
  }, PASS_MS);
}
