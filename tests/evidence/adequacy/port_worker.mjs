// Runs the port of a folder, and the port with one file misread, in one process, for
// mutants.py: a line {file, source} puts another source in place of a file, {} none; each other
// line is a request to what was loaded last, as the harness protocol has it. An answer a line.
//
// A module that cannot reach the misread file stays as it is: loading it again would give the same.
// Node's own loader keeps all that it ever loaded, so the modules are made here (node:vm).

import {readdirSync, readFileSync} from 'node:fs';
import {join, posix} from 'node:path';
import {createInterface} from 'node:readline';
import {pathToFileURL} from 'node:url';
import {SourceTextModule, SyntheticModule} from 'node:vm';

const MAIN = 'adapter.mjs';

const folder = process.argv[2];
const names = readdirSync(folder, {recursive: true})
  .filter((name) => name.endsWith('.mjs') && !name.includes('node_modules'));
const sources = new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));

/** The modules of the unbroken port by name, and what each compiled to. */
const modules = new Map();
const compiled = new Map();

/** Every module that was made, and its name: Node 20 falls where one is collected while others link
 * to it. */
const kept = new Map();

function moduleOf(name, source) {
  const {href: url} = pathToFileURL(join(folder, name));
  const isOwn = source === sources.get(name);
  const module = new SourceTextModule(source, {
    identifier: url,
    cachedData: isOwn ? compiled.get(name) : undefined,
    initializeImportMeta: (meta) => Object.assign(meta, {url}),
  });
  if (isOwn && !compiled.has(name)) compiled.set(name, module.createCachedData());
  kept.set(module, name);
  return module;
}

/** Returns the name of the module that one imports as `specifier`. */
function beside(name, specifier) {
  return posix.join(posix.dirname(name), specifier);
}

/** Returns a module of Node itself as one that others can be linked with. */
async function builtin(name) {
  const exported = await import(name);
  const members = Object.keys(exported);
  const module = new SyntheticModule(members, function () {
    for (const member of members) this.setExport(member, exported[member]);
  });
  kept.set(module, name);
  return module;
}

/** Returns the names of the modules that import one, or import what does, and of that one. */
function reaching(name) {
  const found = new Set([name]);
  for (const each of found) {
    for (const [other, module] of modules) {
      if (module.dependencySpecifiers.some((one) => beside(other, one) === each)) found.add(other);
    }
  }
  return found;
}

/** Returns what the adapter exports when `file` has another source; all is as it is without one. */
async function load(file, source) {
  const fresh = new Map();
  const stale = file === undefined ? new Set(names) : reaching(file);
  const get = (name) => {
    if (!stale.has(name)) return modules.get(name);
    if (!fresh.has(name)) fresh.set(name, moduleOf(name, name === file ? source : sources.get(name)));
    return fresh.get(name);
  };
  const main = get(MAIN);
  await main.link((name, from) =>
    name.startsWith('.') ? get(beside(kept.get(from), name)) : builtin(name));
  await main.evaluate();
  if (file === undefined) for (const [name, module] of fresh) modules.set(name, module);
  return main.namespace;
}

/** What the unbroken adapter exports, and the one that was loaded last. */
let unbroken;
let port;

async function declared({file, source}) {
  try {
    unbroken ??= await load();
    port = file === undefined ? unbroken : await load(file, source);
    return port.DECLARATION;
  } catch (error) {
    return {problem: String(error?.message ?? error)};
  }
}

for await (const line of createInterface({input: process.stdin})) {
  const {seq, operation, input, env = {}, ...load} = JSON.parse(line);
  const answer = operation === undefined ? await declared(load) : {seq, ...port.run(operation, input, env)};
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
