// Runs one port after another in one process, for port_mutants.py: a line names the folder of a port,
// each other line is a request to it, as the harness protocol has it. An answer a line.

import {createInterface} from 'node:readline';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';

/** The port that was loaded last: what its adapter exports. */
let port;

/** Loads the adapter of a folder; returns what it declares, or why it is no program. */
async function load(folder) {
  try {
    port = await import(pathToFileURL(join(folder, 'adapter.mjs')));
    return port.DECLARATION;
  } catch (error) {
    return {problem: String(error?.message ?? error)};
  }
}

for await (const line of createInterface({input: process.stdin})) {
  const {port: folder, seq, operation, input, env = {}} = JSON.parse(line);
  const answer = folder ? await load(folder) : {seq, ...port.run(operation, input, env)};
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
