// The filter of the library: words and conditions on columns, all of which must hold.
//
//   walk "left turn"     both are in path, source or path_words
//   -slow                does not
//   walk OR run          one of the two, as a web search takes it: OR binds its neighbours
//   duration_s > 2       a condition on any column; it may be negated and joined with OR too

const TOKEN = /(-?)(?:([A-Za-z_]\w*)\s*(<=|>=|!=|=|<|>)\s*(-?[\w.:+-]+)|"([^"]*)"|(\S+))/g;
const TESTS = {
  "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b,
  "=": (a, b) => a === b, "!=": (a, b) => a !== b,
};

const known = new WeakMap();

// What words are looked for in, of a row.
function wordsOf(row, places) {
  if (!known.has(row)) known.set(row, places.map((place) => String(row[place] ?? "").toLowerCase()).join(" "));
  return known.get(row);
}

// A term: whether a row, with its words, holds; "OR" for the word between two.
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

// Terms joined by OR become one alternative each.
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

// columns: name to place in a row. Gives {test(row), problem}; an unknown column is reported and filters nothing.
export function parseFilter(text, columns) {
  const found = [...text.matchAll(TOKEN)].filter(([whole, , , , , quoted]) => whole !== "-" && quoted !== "");
  const unknown = found.find(([, , column]) => column !== undefined && !columns.has(column));
  const sound = found.filter(([, , column]) => column === undefined || columns.has(column));
  const all = alternatives(sound.map((parts) => term(parts, columns)));
  const places = ["path", "source", "path_words"].map((name) => columns.get(name));
  const test = (row) => all.every((any) => any.some((holds) => holds(row, wordsOf(row, places))));
  return { test, problem: unknown ? `There is no column ${unknown[2]}.` : null };
}
