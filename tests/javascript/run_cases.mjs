// Asks the public functions all golden cases; the same in every runtime.

const NAMES = {
  'extraction.stream': 'extractStream',
  'turn.stream': 'receiveStream',
  'interface.read': 'readRequest',
  'interface.write': 'writeRequest',
};
const camel = (name) => name.split('.')[1].replace(/_./g, (text) => text[1].toUpperCase());
const plain = (value) => JSON.parse(JSON.stringify(value)); // has no -0

/** How many cases were asked, and the ids of those that failed. */
export async function failures(commoncall, read, equal) {
  const {suites} = await read('manifest.json');
  const [asked, failed] = [[], []];
  for (const {path, operation} of suites) {
    const run = commoncall[NAMES[operation] ?? camel(operation)];
    const {cases} = await read(path);
    for (const each of cases.filter(applies)) {
      asked.push(each.id);
      if (!equal(plain(outcome(run, each)), plain(each.expect))) failed.push(each.id);
    }
  }
  return {asked: asked.length, failed};
}

/** The package has every feature. */
function applies({without = []}) {
  return without.length === 0;
}

function outcome(run, {input, input_json: json, env: {ids = [], clock_ms: clock = []} = {}}) {
  try {
    return {result: run(json ? JSON.parse(json) : input, {ids, clock})};
  } catch ({name, message, ...error}) {
    return {error};
  }
}
