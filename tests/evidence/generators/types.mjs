// The types of the npm package, out of the bundled schemas. `--write` records them; without it the
// exit status is 1 where they are not what is recorded.

import {createHash} from 'node:crypto';
import {readFileSync, readdirSync, writeFileSync} from 'node:fs';

import {compile} from 'json-schema-to-typescript';

const ROOT = new URL('../../../', import.meta.url);
const BUNDLED = new URL('schemas/v1/bundled/', ROOT);
const CODES = new URL('fixtures/v1/manifest.json', ROOT);
const TYPES = new URL('reference/javascript/types/schemas.d.ts', ROOT);
const FILES = readdirSync(BUNDLED, {recursive: true}).filter((name) => name.endsWith('.json')).sort();
const SCHEMAS = FILES.map((file) => readFileSync(new URL(file, BUNDLED), 'utf8'));
const {errors: ERRORS} = JSON.parse(readFileSync(CODES)).codes;
const BANNER = '// Made from schemas/v1/bundled. Change the schemas, and make it again: '
  + 'python3 noxfile.py -s generators -- --write';
/** A type takes what has an index, and an interface does not: `settle` takes what `receive` gave. */
const asTypes = (text) => text.replace(/^export interface (\w+) {$([^]*?)^}$/gm, 'export type $1 = {$2};');
const WHOLE = 'AllOfThem';

/** All definitions by the names of their types; one name means one thing in all files. */
function definitions() {
  const found = {};
  for (const schema of SCHEMAS) {
    const {$schema, $comment, $defs = {}, ...root} = JSON.parse(schema);
    for (const [name, schema] of Object.entries({[root.title]: root, ...$defs})) {
      const text = JSON.stringify(schema);
      if (found[name] !== undefined && found[name] !== text) throw new Error(`two schemas are named ${name}`);
      found[name] = text;
    }
  }
  return Object.fromEntries(Object.entries(found).sort().map(([name, text]) => [name, JSON.parse(text)]));
}

/** The text of the types: a module that exports each. */
async function types() {
  const $defs = definitions();
  const properties = Object.fromEntries(Object.keys($defs).map((name) => [name, {$ref: `#/$defs/${name}`}]));
  const text = await compile({type: 'object', additionalProperties: false, properties, $defs}, WHOLE, {
    bannerComment: `${BANNER}\n// ${digest()}`,
    ignoreMinAndMaxItems: true, // a list of one or more is taken as a list: few programs can say more
    style: {singleQuote: true, printWidth: 120},
  });
  return asTypes(text.replace(new RegExp(`export interface ${WHOLE} {[^}]*}\n`), ''));
}

/** The codes of errors, which no schema holds: they stand in the text. */
function codes() {
  const lines = ERRORS.map(({code, meaning}) => `  /** ${meaning} */\n  | '${code}'`);
  return `/** Why an input has no result. */\nexport type ErrorCode =\n${lines.join('\n')};\n`;
}

/** A digest of what the types are made from: a test without Node sees whether they are out of step. */
function digest() {
  const codes = ERRORS.map(({code, meaning}) => `${code}: ${meaning}\n`);
  return createHash('sha256').update([...SCHEMAS, ...codes].join('')).digest('hex');
}

const made = await types() + codes();
if (process.argv.includes('--write')) writeFileSync(TYPES, made);
else if (readFileSync(TYPES, 'utf8') !== made) {
  console.error('reference/javascript/types/schemas.d.ts is not what the schemas give');
  process.exit(1);
}
