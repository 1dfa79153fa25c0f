// Ask the search of the built site: `node ask.mjs build/site QUERIES.json`, or `- WORDS` in
// place of the file, which prints the first hits.
//
// Runs the worker, the index and the script that readers get. The file maps what they type to where
// one of the first three hits must lead. Exit status: 0 as expected, 1 not, with a line for each.
import { readFileSync, readdirSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import vm from "node:vm";

const SHOWN = 3; // hits that a reader looks at
const LARGEST = 1_000_000; // bytes of the index

const [site, file, ...words] = process.argv.slice(2);
const workers = join(site, "assets/javascripts/workers");
const index = join(site, "search/search_index.json");

/** Return a function that gives the addresses of the hits, best first. */
async function searching() {
  const self = { console };
  let answer, receive;
  Object.assign(self, {
    self,
    addEventListener: (_, listener) => (receive = listener),
    postMessage: (message) => answer(message),
  });
  const name = readdirSync(workers).find((each) => each.endsWith(".js"));
  const worker = readFileSync(join(workers, name), "utf8");
  if (!worker.includes('e=e+s+o.id+","')) throw new Error(`in ${name} names of nodes can be read in two ways`);
  vm.runInNewContext(worker, self);
  const send = (data) => new Promise((resolve) => {
    answer = resolve;
    receive({ data });
  });
  // Its data belongs to that context, too: the worker compares types.
  const data = vm.runInContext(`(${readFileSync(index, "utf8")})`, self);
  await send({ type: 0, data: { ...data, options: { suggest: false } } });
  // A page is one hit; what it is found by comes first in it.
  return async (query) => (await send({ type: 2, data: query })).data.items.map(([best]) => best.location);
}

/** Run the script of the site; return what it makes of a query: an address, or other words. */
function scripted() {
  let keydown, there, words;
  const document = {
    querySelectorAll: () => [],
    querySelector: () => null,
    getElementById: () => ({ textContent: '{"base": "."}' }),
  };
  class Worker {
    postMessage(message) {
      words = message.data;
    }
  }
  class Address extends URL {
    constructor(path) {
      super(path, "https://host/");
    }
  }
  const location = { assign: (url) => (there = url.pathname.slice(1)) };
  const addEventListener = (name, listener) => name === "keydown" && (keydown = listener);
  const context = { addEventListener, document, location, URL: Address, Worker };
  vm.runInNewContext(readFileSync(join(site, "assets/site.js"), "utf8"), context);
  return (query) => {
    [there, words] = [];
    const target = { value: query, matches: () => true };
    keydown({ key: "Enter", target, preventDefault() {}, stopImmediatePropagation() {} });
    new Worker().postMessage({ type: 2, data: query });
    return { there, words };
  };
}

const search = await searching();
const script = scripted();

/** Return the addresses to which a query leads, best first. */
async function hits(query) {
  const { there, words } = script(query);
  return there ? [there] : search(words);
}

if (file === "-") {
  console.log((await hits(words.join(" "))).slice(0, 8).join("\n"));
} else {
  const problems = [];
  const expected = Object.entries(JSON.parse(readFileSync(file, "utf8")));
  for (const [query, wanted] of expected) {
    const found = (await hits(query)).slice(0, SHOWN);
    // Where a page is wanted, any section of it will do.
    const leads = found.some((one) => one === wanted || one.split("#")[0] === wanted);
    if (!leads) problems.push(`${query}: leads to ${found.join(", ") || "nothing"}, and should to ${wanted}`);
    if (!existsSync(join(site, wanted.split("#")[0], "index.html"))) problems.push(`${query}: there is no ${wanted}`);
  }
  const { size } = statSync(index);
  if (size > LARGEST) problems.push(`the index has ${size} bytes, and ${LARGEST} are allowed`);
  for (const each of problems) console.error(each);
  console.log(`ask: ${expected.length} queries, ${problems.length} problems, ${size} bytes`);
  process.exitCode = problems.length ? 1 : 0;
}
