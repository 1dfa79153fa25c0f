// A golden case by its id.
const site = new URL("../", import.meta.url);
const read = new Map();

/** Return the text of a file of the site. */
function textOf(path) {
  const fetched = () => fetch(new URL(path, site)).then((answer) => (answer.ok ? answer.text() : Promise.reject(answer)));
  return read.get(path) ?? read.set(path, fetched()).get(path);
}

let held;

/** Return the text of a case, cut out of its suite, so that numbers stay as they are spelled there. */
export async function caseText(id) {
  held ??= JSON.parse(await textOf("try/cases.json"));
  const [path] = Object.entries(held).find(([, ids]) => ids.includes(id));
  const suite = await textOf(path);
  // A string holds no line feed: what is indented so is the case.
  const begin = suite.indexOf(`    {\n      "id": ${JSON.stringify(id)}`), end = suite.indexOf("\n    }", begin);
  return suite.slice(begin, end + 6).replace(/^ {4}/gm, "");
}
