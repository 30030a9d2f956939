// Filter of the library: words and conditions on columns, joined by AND.
//
//   walk "left turn"     both occur in path, source or path_words
//   -slow                does not occur
//   walk OR run          either one; OR joins its two neighbours, as in web search
//   duration_s > 2       a condition on any column; negation and OR work as with words

const TOKEN = /(-?)(?:([A-Za-z_]\w*)\s*(<=|>=|!=|=|<|>)\s*(-?[\w.:+-]+)|"([^"]*)"|(\S+))/g;
const TESTS = {
  "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b,
  "=": (a, b) => a === b, "!=": (a, b) => a !== b,
};

const known = new WeakMap();

// The text of a row that words are searched in.
function wordsOf(row, places) {
  if (!known.has(row)) known.set(row, places.map((place) => String(row[place] ?? "").toLowerCase()).join(" "));
  return known.get(row);
}

// Parses a term into a predicate of a row and its text; "OR" for the operator.
function term([whole, minus, column, sign, value, quoted, word], columns) {
  if (whole === "OR") return "OR";
  const is = minus ? (holds) => !holds : (holds) => holds;
  if (column === undefined) {
    const wanted = (quoted ?? word).toLowerCase();
    return (_, words) => is(words.includes(wanted));
  }
  const at = columns.get(column), number = Number(value), limit = Number.isFinite(number) ? number : value;
  return (row) => row[at] !== null && is(TESTS[sign](row[at], limit));
}

// Groups terms joined by OR into alternatives.
function alternatives(terms) {
  const out = [];
  let isJoined = false;
  for (const one of terms) {
    if (one === "OR") isJoined = out.length > 0;
    else if (isJoined) out.at(-1).push(one);
    else out.push([one]);
    if (one !== "OR") isJoined = false;
  }
  return out;
}

// columns: name to index in a row. Returns {test(row), problem}; an unknown column is reported and does not filter.
export function parseFilter(text, columns) {
  const found = [...text.matchAll(TOKEN)].filter(([whole, , , , , quoted]) => whole !== "-" && quoted !== "");
  const unknown = found.find(([, , column]) => column !== undefined && !columns.has(column));
  const sound = found.filter(([, , column]) => column === undefined || columns.has(column));
  const all = alternatives(sound.map((parts) => term(parts, columns)));
  const places = ["path", "source", "path_words"].map((name) => columns.get(name));
  const test = (row) => all.every((any) => any.some((holds) => holds(row, wordsOf(row, places))));
  return { test, problem: unknown ? `There is no column ${unknown[2]}.` : null };
}
