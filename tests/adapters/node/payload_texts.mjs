// Values as texts. The depth of every value here is limited, so that recursion is safe.

// Short escapes where RFC 8259 has them, and else `\u` and four digits: what JSON.stringify writes.
const ESCAPED = /["\\\x00-\x1f]/g;
const LINE_ENDS_AND_TAGS = /[<\x85\u2028\u2029]/g;

/** The compact JSON of a value; a lone surrogate stays as it is (vocabulary: compact JSON). */
export function compactText(value) {
  return write(value, (object) => Object.keys(object));
}

/** The RFC 8785 form of a value; names sort by UTF-16 units. */
export function canonicalText(value) {
  return write(value, (object) => Object.keys(object).sort());
}

/** A text as a JSON string that ends no line and holds no tag (payload: quoted string). */
export function quotedString(text) {
  return escaped(writeString(text));
}

/** A JSON text in which no character ends a line or a tag. */
export function escaped(json) {
  return json.replace(LINE_ENDS_AND_TAGS, (char) =>
    `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function write(value, namesOf) {
  if (typeof value === 'string') return writeString(value);
  if (typeof value === 'number') return writeNumber(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, namesOf)).join(',')}]`;
  const members = namesOf(value).map((name) =>
    `${writeString(name)}:${write(value[name], namesOf)}`);
  return `{${members.join(',')}}`;
}

function writeString(text) {
  return `"${text.replace(ESCAPED, (char) => JSON.stringify(char).slice(1, -1))}"`;
}

/** A number beyond binary64 has lost its spelling, and gets one that is read as the same. */
function writeNumber(number) {
  if (Number.isFinite(number)) return JSON.stringify(number);
  return number > 0 ? '1e999' : '-1e999';
}
