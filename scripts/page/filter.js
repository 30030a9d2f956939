// The filter of the library: words that path, source or tags hold, and conditions on columns, all of which must hold.

const CONDITION = /([A-Za-z_]\w*)\s*(<=|>=|!=|=|<|>)\s*(-?[\w.:+-]+)/g;
const TESTS = {
  "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b,
  "=": (a, b) => a === b, "!=": (a, b) => a !== b,
};

function condition([, column, sign, text], columns) {
  const at = columns.get(column), number = Number(text);
  const wanted = Number.isFinite(number) ? number : text;
  return (row) => row[at] !== null && TESTS[sign](row[at], wanted);
}

// columns: name to place in a row. Gives {test(row), problem}; an unknown column is told and holds nothing back.
export function parseFilter(text, columns) {
  const found = [...text.matchAll(CONDITION)];
  const unknown = found.find(([, column]) => !columns.has(column));
  const conditions = found.filter(([, column]) => columns.has(column)).map((parts) => condition(parts, columns));
  const wanted = text.replaceAll(CONDITION, " ").toLowerCase().split(/\s+/).filter(Boolean);
  const places = ["path", "source", "tags"].map((name) => columns.get(name));
  const test = (row) => {
    const words = places.map((place) => String(row[place] ?? "").toLowerCase()).join(" ");
    return wanted.every((word) => words.includes(word)) && conditions.every((holds) => holds(row));
  };
  return { test, problem: unknown ? `There is no column ${unknown[1]}.` : null };
}
