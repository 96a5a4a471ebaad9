// Draws a die by its pips, or six cowries by their mouths. Other faces pass by while they tumble.

const PIPS = { 1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 2, 3, 5, 6, 8] };
const PASS_MS = 100;

const SHELLS = 6;
const PASSING = [4, 1, 5, 2, 0, 3]; // mouths up

function shells({ up, tumbling }) {
  const node = document.createElement("span");
  node.className = tumbling ? "shells tumbling" : "shells";
  for (let shell = 0; shell < SHELLS; shell++) node.append(document.createElement("i"));
  const show = (mouths) => [...node.children].forEach((shell, n) => { shell.className = n < mouths ? "up" : ""; });
  show(up);
  if (!tumbling) return node;
  let step = 0;
  const timer = setInterval(() => {
    if (!node.isConnected) return clearInterval(timer);
    show(PASSING[step++ % PASSING.length]);
  }, PASS_MS);
  return node;
}

export function die(thrown) {
  if (thrown.up !== undefined) return shells(thrown);
  const { face, tumbling } = thrown;
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
