// Asks the package what the playground wants to know, beside the page, so that a long text does not
// freeze it.
import * as commoncall from "../try/commoncall/index.mjs";

const NAMES = {
  "extraction.stream": "extractStream",
  "turn.stream": "receiveStream",
  "event.to_cloudevents": "toCloudEvents",
};
const camel = (name) => name.split(".")[1].replace(/_./g, (text) => text[1].toUpperCase());

onmessage = ({ data: { seq, operation, input, env, size } }) => postMessage({ seq, ...outcome(operation, input, env, size) });

function outcome(operation, input, { ids, clock_ms: clock }, size) {
  try {
    const result = commoncall[NAMES[operation] ?? camel(operation)](input, { ids, ...(clock && { clock }) });
    return { result, ...(size > 0 && operation === "extraction.extract" && { shown: shown(input, ids, size) }) };
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
