// MicroPython on Node for the firmware's tests. It knows nothing of dice.
//
//   node micropython.mjs ROOT test FILE...   run every test_ function of these files
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

const RUN = `
def run(name):
    module = __import__(name, None, None, ["*"])
    for test in sorted(dir(module)):
        if test.startswith("test_"):
            try:
                getattr(module, test)()
                print("passed", name + "." + test)
            except Exception as error:
                print("failed", name + "." + test)
                sys.print_exception(error)
`;

async function main() {
  if (command === "test") {
    mp.runPython(RUN);
    for (const file of files) mp.globals.get("run")(module(file));
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
