// The types of the npm package, made of the bundled schemas: `node types.mjs FOLDER` writes a file
// for each contract, `profile.d.ts` for what all take, and `errors.d.ts` for the codes of errors.
import {createHash} from 'node:crypto';
import {mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';

import {compile} from 'json-schema-to-typescript';

const ROOT = resolve(import.meta.dirname, '../../..');
const BUNDLED = join(ROOT, 'schemas/v1/bundled');
const CODES = join(ROOT, 'fixtures/v1/manifest.json');
const HEADER = '// Made of schemas/v1/bundled: python3 noxfile.py -s generators -- --write';
const STYLE = {printWidth: 110, singleQuote: true, bracketSpacing: false};
const REFERENCE = '#/$defs/';

const owners = {Profile: 'profile'}; // which file holds the types whose names begin so
const definitions = {};
const inputs = [];
const digest = createHash('sha256'); // by which a test without Node sees that a file is out of step
for (const path of readdirSync(BUNDLED, {recursive: true}).filter((path) => path.endsWith('.json')).sort()) {
  const text = readFileSync(join(BUNDLED, path), 'utf8');
  digest.update(text);
  const {$schema, $comment, $defs, ...root} = JSON.parse(text);
  Object.assign(definitions, $defs, {[root.title]: root});
  owners[root.title.replace(/(Input|Result)$/, '')] = path.split('/')[0];
  if (root.title.endsWith('Input')) inputs.push(root.title);
}

/** Every schema in a schema, but for its conditions. */
function* within(schema) {
  if (typeof schema !== 'object') return;
  yield schema;
  for (const key of ['properties', '$defs']) for (const each of Object.values(schema[key] ?? {})) yield* within(each);
  for (const key of ['allOf', 'anyOf', 'oneOf']) for (const each of schema[key] ?? []) yield* within(each);
  for (const key of ['items', 'additionalProperties']) yield* within(schema[key]);
}

/** The names that a definition needs, its own as well. */
function reach(name, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const {$ref} of within(definitions[name])) if ($ref) reach($ref.slice(REFERENCE.length), found);
  return found;
}

for (const schema of Object.values(definitions).flatMap((each) => [...within(each)])) {
  // A type that is anything keeps its description only so.
  if (schema.anyOf?.[0] === true) Object.assign(schema, {anyOf: undefined, tsType: 'unknown'});
}
for (const name of new Set(inputs.flatMap((each) => [...reach(each)]))) {
  for (const schema of within(definitions[name])) {
    // An object that takes other members takes one whose type is an interface only so.
    if (schema.properties && schema.additionalProperties !== false) schema.additionalProperties = {tsType: 'any'};
  }
}
const properties = Object.fromEntries(Object.keys(definitions).map((name) => [name, {$ref: REFERENCE + name}]));
const text = await compile(
  {title: 'Everything', type: 'object', additionalProperties: false, properties, $defs: definitions}, 'Everything',
  {bannerComment: '', ignoreMinAndMaxItems: true, style: STYLE},
);

const DECLARATION = /(?:\/\*\*\n(?: \*.*\n)+)?export (?:type|interface) (\w+)[^]*?(?=\n(?:\/\*\*|export )|$)/g;
const files = {};
for (const [declaration, name] of text.matchAll(DECLARATION)) {
  if (name === 'Everything') continue;
  if (!definitions[name]) throw new Error(`${name} is no definition`);
  (files[ownerOf(name)] ??= []).push({name, declaration: declaration.trim()});
}
const written = Object.values(files).flat().map(({name}) => name);
const missing = Object.keys(definitions).filter((name) => !written.includes(name));
if (missing.length > 0) throw new Error(`no type of ${missing}`);

const {errors} = JSON.parse(readFileSync(CODES)).codes; // no schema holds them: they stand in the text
const codes = errors.map(({code, meaning}) => {
  digest.update(`${code}: ${meaning}\n`);
  return `  /** ${meaning} */\n  | '${code}'`;
});
files.errors = [{name: 'ErrorCode', declaration: `/** Why an input has no result. */\nexport type ErrorCode =\n${codes.join('\n')};`}];
const header = `${HEADER}\n// ${digest.digest('hex')}`;
mkdirSync(process.argv[2], {recursive: true});
for (const [file, declarations] of Object.entries(files)) {
  const used = new Set(declarations.flatMap(({declaration}) => declaration.match(/\b[A-Z]\w+/g)));
  const others = {};
  for (const name of written.filter((name) => used.has(name) && ownerOf(name) !== file).sort()) {
    (others[ownerOf(name)] ??= []).push(name);
  }
  const imports = Object.entries(others).sort()
    .map(([other, names]) => `import type {${names.join(', ')}} from './${other}.js';`);
  const parts = [header, ...(imports.length > 0 ? [imports.join('\n')] : []), ...declarations.map((each) => each.declaration)];
  writeFileSync(join(process.argv[2], `${file}.d.ts`), `${parts.join('\n\n')}\n`);
}

function ownerOf(name) {
  const [longest] = Object.keys(owners).filter((prefix) => name.startsWith(prefix)).sort((a, b) => b.length - a.length);
  return owners[longest];
}
