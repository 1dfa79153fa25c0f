// What reads schemas in JavaScript, over every bundled schema: `node generate.mjs FOLDER`.
//
// In FOLDER, values.jsonl has a value a line, [schema, value]. Written are
// what json-schema-to-typescript and quicktype make of each schema, and found.json: what ajv and
// the converters of quicktype say of the values.
import {mkdirSync, readFileSync, readdirSync, writeFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';

import {Ajv2020} from 'ajv/dist/2020.js';
import {compile} from 'json-schema-to-typescript';
import {InputData, JSONSchemaInput, quicktype} from 'quicktype-core';
import typescript from 'typescript';

const ROOT = resolve(import.meta.dirname, '../../..');
const BUNDLED = join(ROOT, 'schemas/v1/bundled');
const folder = resolve(process.argv[2]);
const schemas = Object.fromEntries(
  readdirSync(BUNDLED, {recursive: true})
    .filter((path) => path.endsWith('.schema.json'))
    .sort()
    .map((path) => [path.replace('.schema.json', ''), JSON.parse(readFileSync(join(BUNDLED, path)))]),
);
const values = readFileSync(join(folder, 'values.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line));

/** Strict, and a warning is an error. */
function ajv(schema) {
  const warn = (words) => {
    throw new Error(words);
  };
  const validate = new Ajv2020({strict: true, logger: {log: warn, warn, error: warn}}).compile(schema);
  return (value) => validate(value);
}

async function toQuicktype(schema, name) {
  const input = new JSONSchemaInput(undefined);
  await input.addSource({name: schema.title, schema: JSON.stringify(schema)});
  const inputData = new InputData();
  inputData.addInput(input);
  const {lines} = await quicktype({inputData, lang: 'typescript'});
  return write('quicktype', name, lines.join('\n'));
}

function write(generator, name, text) {
  const path = join(folder, generator, `${name.replace('/', '.')}.ts`);
  mkdirSync(join(folder, generator), {recursive: true});
  writeFileSync(path, text);
  return text;
}

/** The converter of what quicktype wrote, run as JavaScript: it throws at what does not fit. */
async function converter(schema, name, text) {
  const path = join(folder, 'quicktype', `${name.replace('/', '.')}.mjs`);
  const options = {compilerOptions: {target: 'es2022', module: 'esnext'}};
  writeFileSync(path, typescript.transpileModule(text, options).outputText);
  const {Convert} = await import(pathToFileURL(path));
  const convert = Object.entries(Object.getOwnPropertyDescriptors(Convert))
    .find(([key]) => key === `to${schema.title}`)[1].value;
  return (value) => {
    try {
      convert(JSON.stringify(value));
      return true;
    } catch {
      return false;
    }
  };
}

const found = {ajv: [], quicktype: []};
for (const [name, schema] of Object.entries(schemas)) {
  write('json-schema-to-typescript', name, await compile(schema, schema.title, {cwd: BUNDLED}));
  const judges = {
    ajv: ajv(schema),
    quicktype: await converter(schema, name, await toQuicktype(schema, name)),
  };
  values.forEach(([of, value], index) => {
    if (of !== name) return;
    for (const [judge, accepts] of Object.entries(judges)) if (accepts(value)) found[judge].push(index);
  });
}
writeFileSync(join(folder, 'found.json'), JSON.stringify(found));
