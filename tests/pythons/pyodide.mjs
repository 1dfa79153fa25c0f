// The reference as an adapter, on the CPython that the npm package pyodide holds.
// Usage: node pyodide.mjs CHECKOUT FOLDER_OF_ITS_DEPENDENCIES

import { readSync, writeSync } from "node:fs";
import { loadPyodide } from "pyodide";

const clock = new Int32Array(new SharedArrayBuffer(4));

// Node does not block on its stdin, and Pyodide would look again after a tenth of a second.
function read(buffer) {
  for (;;) {
    try {
      return readSync(0, buffer);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(clock, 0, 0, 1);
    }
  }
}

const [checkout, site] = process.argv.slice(2);
const python = await loadPyodide();
python.setStdin({ read });
python.setStdout({ write: (buffer) => writeSync(1, buffer) });
python.mountNodeFS("/checkout", checkout);
python.mountNodeFS("/site", site);
process.exitCode = python.runPython(`
import sys

sys.path[:0] = ["/checkout/reference/python", "/site"]
sys.argv[:] = ["commoncall", "adapter"]

from commoncall_tools import main

main()
`);
