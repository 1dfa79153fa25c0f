// The playground: an operation, its input, and what the package makes of it. The fragment of the
// address holds both, or names a golden case.
import { caseText } from "./cases.mjs";

const CONTRACTS = {
  extraction: ["extract", "stream"],
  payload: ["sanitize_request", "sanitize_history", "flatten_history", "check_tool_call"],
  capability: ["resolve", "plan_turn", "effective_tools", "filter_prompt"],
  turn: ["prepare", "receive", "stream", "settle"],
  event: ["record_calls", "hash_arguments", "to_otel"],
  interface: ["read", "write", "read_reply", "read_events", "write_reply", "write_events"],
};
const EXAMPLES = {
  "A call in a text": "extraction.extract.closer-without-opener-prose",
  "A block without its closer": "extraction.extract.incident-unclosed-complete",
  "A choice without tools": "payload.sanitize_request.absent-required",
  "A poisoned history": "payload.sanitize_history.answer-poisoned",
  "A model without tools": "turn.prepare.auto-without-tools",
  "A leaked call of an unknown tool": "turn.receive.leaked-unknown",
  "A stream that ends early": "turn.stream.cut-off-before-native",
  "A turn that ends": "turn.settle.unknown-tool",
  "A call judged": "payload.check_tool_call.json-words",
  "A history as text": "payload.flatten_history.effective-quoted-other",
  "A text in chunks": "extraction.stream.begin-of-no-closer",
  "A plan of a turn": "capability.plan_turn.set-partial",
  "A policy": "capability.effective_tools.layer-unknown-member-beside",
  "The sections of a prompt": "capability.filter_prompt.partial-exclusion",
  "Events of calls": "event.record_calls.shape-array",
  "A digest of arguments": "event.hash_arguments.canonical-zeros",
  "Events as spans": "event.to_otel.unknown-tool",
  "A request of Anthropic Messages": "interface.read.thought-and-call",
  "Back to Anthropic Messages": "interface.write.back-messages",
  "A response of Responses": "interface.read_reply.response",
  "Events of Anthropic Messages": "interface.read_events.message",
  "A reply as a message of Anthropic": "interface.write_reply.message",
  "Chunks as events of Responses": "interface.write_events.response",
};
const BEFORE = {
  "payload.sanitize_request": "request", "payload.sanitize_history": "messages", "turn.prepare": "request",
  "interface.read": "request", "interface.write": "request", "interface.write_reply": "reply",
};
const SEARCHED = {
  unknown_provider: "does not know the provider",
  unknown_model: "knows the provider and not the model",
  registry_invalid: "does not load, and ends the search",
  malformed_entry: "holds an entry that is malformed",
  exact: "holds the model by its name",
  alias: "holds the model by an alias",
  prefix: "holds the model by a prefix",
  provider_default: "holds the default of the provider",
};
const MOST = 20_000; // characters of a text that are shown in colours
const site = new URL("../", import.meta.url);
const data = await (await fetch(new URL("try/data.json", site))).json();

const element = (name, members = {}, ...inside) => {
  const made = Object.assign(document.createElement(name), members);
  made.append(...inside);
  return made;
};
const json = (value) => JSON.stringify(value, null, 2);
const labelled = (text, field) => element("label", {}, text, " ", field);

const operation = element("select", {}, ...Object.entries(CONTRACTS).map(([contract, names]) =>
  element("optgroup", { label: contract }, ...names.map((name) => new Option(`${contract}.${name}`)))));
const example = element("select", {}, new Option("choose one", ""),
  ...Object.entries(EXAMPLES).map(([title, id]) => new Option(title, id)));
const format = element("select", {}, new Option("as the input says", ""), ...data.formats.map((id) => new Option(id)));
const profile = element("select", {}, new Option("as the input says", ""), ...Object.keys(data.profiles).map((id) => new Option(id)));
const size = element("input", { type: "number", min: 0, max: 9999, value: 0 });
const text = element("textarea", { rows: 8, spellcheck: false });
const input = element("textarea", { rows: 14, spellcheck: false });
const output = element("div", { className: "cc-try-output" });
const status = element("output", {});
const textLabel = labelled("Text", text), sizeLabel = labelled("Chunks of (0: whole)", size);
const formatLabel = labelled("Format", format), profileLabel = labelled("Profile", profile);
document.querySelector("#cc-try").append(
  element("p", { className: "cc-filters" }, labelled("Operation", operation), labelled("Example", example), formatLabel, profileLabel, sizeLabel, status),
  element("div", { className: "cc-try-panes" },
    element("div", {}, textLabel, labelled("Input, as JSON", input)), output));

let whole = ""; // the text as it was given: a field of text has no carriage return
let env = {}, expected = null, origin = null, waiting = null, worker = null, seq = 0;

/** What the fields say: `{operation, input}`; throws where the JSON is none. */
function read() {
  const given = JSON.parse(input.value);
  return { operation: operation.value, input: textLabel.hidden ? given : { text: whole, ...given } };
}

function write(state) {
  operation.value = state.operation;
  const isSplit = operation.value === "extraction.extract" && typeof state.input?.text === "string";
  textLabel.hidden = sizeLabel.hidden = !isSplit;
  if (isSplit) text.value = whole = state.input.text;
  formatLabel.hidden = !/^extraction|receive|stream/.test(operation.value);
  profileLabel.hidden = !/sanitize|^turn/.test(operation.value);
  format.value = profile.value = "";
  const { text: _, ...rest } = state.input ?? {};
  input.value = json(isSplit ? rest : state.input);
}

/** Ask the worker; one that has not answered the last question is replaced. */
function ask(question) {
  if (waiting) worker.terminate();
  if (waiting || !worker) worker = new Worker(new URL("try_worker.mjs", import.meta.url), { type: "module" });
  return new Promise((resolve) => {
    waiting = ++seq;
    worker.onmessage = ({ data }) => { if (data.seq === seq) { waiting = null; resolve(data); } };
    worker.postMessage({ seq, ...question });
  });
}

async function run() {
  let state;
  try {
    state = read();
  } catch (error) {
    status.value = `The input is no JSON: ${error.message}`;
    return;
  }
  status.value = "…";
  const answer = await ask({ ...state, env, size: Number(size.value) });
  const { seq: _, shown, searched, message, ...outcome } = answer;
  status.value = expected === null ? "" : same(plain(outcome), plain(expected)) ? `As ${origin} expects.` : `Not what ${origin} expects.`;
  output.replaceChildren(...view(state, outcome, message, shown, searched));
  return outcome;
}

const plain = (value) => JSON.parse(JSON.stringify(value)); // has no -0

/** Whether two values of JSON are equal, whatever the order of members. */
function same(a, b) {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const names = Object.keys(a);
  return Array.isArray(a) === Array.isArray(b) && names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && same(a[name], b[name]));
}

function* view({ operation: name, input: given }, { result, error }, message, shown, searched) {
  if (error) yield element("p", { className: "cc-try-error" }, message, " ", ...(error.code ? rule(error.code) : []));
  const rejected = (result?.segments ?? []).flatMap(({ codes: found = [], text: piece }) =>
    found.map((code) => ({ code, path: piece.slice(0, 80) })));
  const findings = [...(result?.findings ?? []), ...rejected, ...(result?.repairs ?? [])];
  if (result?.segments) {
    yield element("p", {}, `${many(result.tool_calls, "call")}, ${many(findings, "finding")}`);
    yield segments(result.segments);
  }
  if (searched) yield path(searched, result);
  if (findings.length > 0) yield table(findings);
  const member = BEFORE[name];
  if (result && member && given) yield difference(json(given[member]), json(result[member]));
  if (shown) yield stream(shown);
  yield element("details", { className: "cc-more", open: !member && !result?.segments }, element("summary", {}, error ? "Error" : "Result"),
    element("pre", {}, element("code", {}, cut(json(result ?? error)))));
}

const many = ({ length }, noun) => `${length} ${noun}${length === 1 ? "" : "s"}`;

const cut = (whole) => whole.length > 5 * MOST ? `${whole.slice(0, 5 * MOST)}\n… the first ${5 * MOST} characters` : whole;

/** What a code means in an operation. */
const known = (code) => data.codes[operation.value.split(".")[0]]?.[code] ?? {};

/** What a code means, and the requirements that demand it, the nearest first. */
function rule(code) {
  const { meaning = "", requirements = [], operations = {} } = known(code);
  const words = meaning.split("`").map((part, at) => at % 2 ? element("code", {}, part) : part);
  return [element("strong", {}, element("code", {}, code)), " ", ...words, " ",
    ...(operations[operation.value] ?? requirements).slice(0, 3).flatMap((id) => [element("a", { href: new URL(`r/${id}/`, site) }, id), " "])];
}

function table(findings) {
  return rows(["finding", "place"], findings.slice(0, 200).map(({ code, path, ...more }) =>
    [rule(code), [element("code", {}, path ?? JSON.stringify(more))]]));
}

function rows(head, body) {
  const line = (kind, cells) => element("tr", {}, ...cells.map((cell) => element(kind, {}, ...cell)));
  return element("table", {}, element("thead", {}, line("th", head.map((name) => [name]))),
    element("tbody", {}, ...body.map((cells) => line("td", cells))));
}

/** The way of each search through the registries. */
function path(searched, { tool_calls_supported: isOpen, reason }) {
  const found = searched.flatMap(({ target, steps }) => steps.length === 0
    ? [[nameOf(target), ["none"], ["has no provider or no model to search for, or there is no registry"]]]
    : steps.map((step, layer) => [layer === 0 ? nameOf(target) : [], [String(layer)], said(step)]));
  const open = isOpen === undefined ? "" : isOpen ? "The model takes tools: " : "No tools: ";
  return element("div", {}, element("p", {}, open, element("code", {}, reason)),
    rows(["target", "registry", "what it says"], found.slice(0, 200)));
}

const nameOf = (target) => [element("code", {}, `${target?.provider ?? "?"} / ${target?.model ?? "?"}`)];

function said({ reason, key, isOpen }) {
  const entry = key === undefined ? [] : [" ", element("code", {}, key), isOpen ? ", with tools" : ", without tools"];
  return [SEARCHED[reason] ?? reason, ...entry];
}

/** The text in colours: what became of each piece of it. */
function segments(pieces) {
  const box = element("pre", { className: "cc-try-text", tabIndex: 0, ariaLabel: "The text and what became of it", role: "group" });
  let left = MOST;
  for (const { kind, text: piece, dialect, codes: found = [] } of pieces) {
    if (left <= 0) break;
    const title = [kind, dialect, ...found.map((code) => `${code}: ${known(code).meaning ?? ""}`)].filter(Boolean).join(", ");
    box.append(element("span", { className: `cc-seg cc-seg-${kind}`, title }, piece.slice(0, left)));
    left -= piece.length;
  }
  if (left <= 0) box.append(element("em", {}, ` … the first ${MOST} characters`));
  const kinds = [...new Set(pieces.map(({ kind }) => kind))];
  return element("div", {}, box, element("p", { className: "cc-facts" },
    ...kinds.flatMap((kind) => [element("span", { className: `cc-seg cc-seg-${kind}` }, kind), " "])));
}

function stream(shown) {
  return element("details", { className: "cc-more" }, element("summary", {}, `In chunks: ${shown.length} with events`),
    element("ol", {}, ...shown.slice(0, 500).map(([chunk, events]) => element("li", {},
      element("code", {}, JSON.stringify(chunk)), " → ", element("code", {}, JSON.stringify(events))))));
}

/** Which lines went and which came. */
function difference(before, after) {
  const [left, right] = [before, after].map((whole) => (whole ?? "").split("\n"));
  const box = element("pre", { className: "cc-try-diff", tabIndex: 0, ariaLabel: "Before and after", role: "group" });
  const lines = left.length * right.length > 4e6 ? right.map((line) => [" ", line]) : compared(left, right);
  for (const [sign, line] of lines)
    box.append(element(sign === "-" ? "del" : sign === "+" ? "ins" : "span", {}, `${sign} ${line}\n`));
  return box;
}

/** The lines of both with a sign each: the longest common subsequence stays, whatever comma ends a line. */
function compared(left, right) {
  const [a, b] = [left, right].map((lines) => lines.map((line) => line.replace(/,$/, "")));
  const long = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  for (let i = left.length - 1; i >= 0; i--)
    for (let k = right.length - 1; k >= 0; k--)
      long[i][k] = a[i] === b[k] ? long[i + 1][k + 1] + 1 : Math.max(long[i + 1][k], long[i][k + 1]);
  const lines = [];
  for (let i = 0, k = 0; i < left.length || k < right.length;) {
    if (i < left.length && k < right.length && a[i] === b[k]) lines.push([" ", right[k++]], void i++);
    else if (i < left.length && (k >= right.length || long[i + 1][k] >= long[i][k + 1])) lines.push(["-", left[i++]]);
    else lines.push(["+", right[k++]]);
  }
  return lines.filter(Boolean);
}

let asked = 0;

/** Open a golden case; resolves with what the package says of it. What is asked for or typed meanwhile stays. */
export async function openCase(id) {
  const mine = ++asked;
  const found = await caseText(id).catch(() => null);
  if (mine !== asked) return undefined;
  if (found === null) { status.value = `There is no case ${id}.`; return; }
  const given = JSON.parse(found);
  write({ operation: id.split(".", 2).join("."), input: Object.hasOwn(given, "input_json") ? JSON.parse(given.input_json) : given.input });
  [env, expected, origin] = [given.env ?? {}, given.expect, id];
  return run();
}

const pipe = (bytes, stream) => new Response(new Blob([bytes]).stream().pipeThrough(stream));

async function save() {
  const bytes = await pipe(JSON.stringify(read()), new CompressionStream("deflate-raw")).arrayBuffer();
  const packed = btoa(Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join(""));
  if (packed.length < 60_000) history.replaceState(null, "", `#s=${packed.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`);
}

async function load() {
  const [kind, value = ""] = location.hash.slice(1).split(/=(.*)/s);
  if (kind === "case") return openCase(decodeURIComponent(value));
  if (kind !== "s") return openCase(Object.values(EXAMPLES)[0]);
  try {
    const bytes = Uint8Array.from(atob(value.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0));
    write(JSON.parse(await pipe(bytes, new DecompressionStream("deflate-raw")).text()));
  } catch { status.value = "The address holds nothing that can be read."; return; }
  [env, expected, origin] = [{}, null, null];
  return run();
}

let timer;
const changed = () => {
  asked += 1;
  [env, expected, origin] = [{}, null, null];
  clearTimeout(timer);
  timer = setTimeout(() => run().then((outcome) => outcome && save()), 200);
};
text.addEventListener("input", () => { whole = text.value; });
for (const field of [text, input, size]) field.addEventListener("input", changed);
/** Another operation has another input: its first example. */
operation.addEventListener("change", () => {
  location.hash = `case=${Object.values(EXAMPLES).find((id) => id.startsWith(`${operation.value}.`))}`;
});
/** Put a member into the input. */
function set(name, value, without) {
  const { [without]: _, ...given } = JSON.parse(input.value);
  input.value = json({ ...given, [name]: value });
  changed();
}
format.addEventListener("change", () => { if (format.value) set("format", format.value, "dialects"); });
profile.addEventListener("change", () => { if (profile.value) set("profile", data.profiles[profile.value]); });
example.addEventListener("change", () => { if (example.value) location.hash = `case=${example.value}`; });
addEventListener("hashchange", load);
export const ready = load();
