// MicroPython on Node for the firmware's tests. It knows nothing of dice.
//
//   node micropython.mjs ROOT test FILE...   run every test_ function of these files
//   node micropython.mjs ROOT soak FILE...   the same, what is long by nature ten times as long
//   node micropython.mjs ROOT serve FILE     FILE's answer(line) answers each line of the input
//
// FILE is a path below ROOT. Firmware and tests lie in the interpreter's own file system as in ROOT.

import { readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { loadMicroPython } from "@micropython/micropython-webassembly-pyscript";

const [root, command, ...files] = process.argv.slice(2);
const mp = await loadMicroPython({ heapsize: 1024 * 1024 });

for (const folder of ["firmware", "tests/firmware"]) {
  mp.FS.mkdirTree(`/table/${folder}`);
  for (const file of readdirSync(`${root}/${folder}`)) {
    if (/\.(py|md)$/.test(file)) {
      mp.FS.writeFile(`/table/${folder}/${file}`, readFileSync(`${root}/${folder}/${file}`));
    }
  }
}
mp.runPython("import sys\nsys.path[:] = ['/table', '/table/tests/firmware', '/table/firmware', '.frozen']");

const module = (file) => file.replace(/\.py$/, "").replaceAll("/", ".");

function run(name) {
  const [tests, begin, more] = ["tests", "begin", "more"].map((each) => mp.globals.get(each));
  for (const test of tests(name).split(",")) {
    begin(name, test);
    while (more());
  }
}

async function main() {
  if (command === "test" || command === "soak") {
    if (command === "soak") mp.runPython("import metal\nmetal.TIMES = 10");
    mp.runPython("from running import begin, more, tests");
    for (const file of files) run(module(file));
    return;
  }
  mp.runPython(`import sys\nanswer = __import__("${module(files[0])}", None, None, ["*"]).answer`);
  const answer = mp.globals.get("answer");
  for await (const line of createInterface({ input: process.stdin })) {
    process.stdout.write(`${answer(line)}\n`);
  }
}

// Only the message: a stack would quote the whole minified interpreter.
main().catch((error) => {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
});
