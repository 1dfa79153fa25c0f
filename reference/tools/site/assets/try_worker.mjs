// Asks the package what the playground wants to know, beside the page, so that a long text does not
// freeze it.
import * as commoncall from "../try/commoncall/index.mjs";

const NAMES = {
  "extraction.stream": "extractStream",
  "turn.stream": "receiveStream",
  "interface.read": "readRequest",
  "interface.write": "writeRequest",
};
const SEARCHING = ["capability.resolve", "turn.prepare"];
const camel = (name) => name.split(".")[1].replace(/_./g, (text) => text[1].toUpperCase());

onmessage = ({ data: { seq, operation, input, env, size } }) => postMessage({ seq, ...outcome(operation, input, env, size) });

function outcome(operation, input, { ids, clock_ms: clock }, size) {
  try {
    const result = commoncall[NAMES[operation] ?? camel(operation)](input, { ids, ...(clock && { clock }) });
    return {
      result,
      ...(size > 0 && operation === "extraction.extract" && { shown: shown(input, ids, size) }),
      ...(SEARCHING.includes(operation) && { searched: searched(input) }),
    };
  } catch (error) {
    const { name, message, stack, ...error_of_contract } = error;
    return { error: error_of_contract, message };
  }
}

/** The chunks of a text, and the events of each; the last are those of the end. */
function shown({ text, ...options }, ids, size) {
  const extractor = new commoncall.Extractor(options, { ids });
  const chunks = text.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? [];
  const events = chunks.map((chunk) => [chunk, extractor.feed(chunk)]);
  extractor.finish();
  return [...events, ["", extractor.rest]].filter(([, each]) => each.length > 0 || chunks.length < 200);
}

/** What each registry says to each target, up to the one where the search ends; each is asked alone. */
function searched({ registries, targets }) {
  return targets.map((target) => {
    const steps = [];
    const isNamed = ["provider", "model"].every((name) => typeof target?.[name] === "string" && target[name] !== "");
    for (const registry of isNamed ? registries : []) {
      const { matched: [hit], ...said } = commoncall.resolve({ registries: [registry], targets: [target] });
      steps.push({ reason: said.reason, key: hit?.key, isOpen: said.tool_calls_supported });
      if (hit !== null || said.reason === "registry_invalid") break;
    }
    return { target, steps };
  });
}
