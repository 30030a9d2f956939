// The page's index in a worker: SQLite's own WebAssembly build with kane's tables. The first message is {program,
// schema}; later ones are answered in order: {script, path} replaces the rows of a clip or failure, {sql} queries,
// {save} returns the bytes of index.db.
import initialize from "sqlite";

const MAX_ROWS = 10000;
let sqlite, db, isTextStale = false;

async function begin({ program, schema }) {
  sqlite = await initialize({ wasmBinary: program, locateFile: (name) => name, print: () => {}, printErr: () => {} });
  db = new sqlite.oo1.DB(":memory:");
  db.exec("PRAGMA foreign_keys = ON");
  db.exec(schema);
  return {};
}

function put({ script, path }) {
  db.transaction(() => {
    db.exec("DELETE FROM clip WHERE path = ?", { bind: [`${path}.h5`] });
    db.exec("DELETE FROM failure WHERE path = ?", { bind: [path] });
    if (script) db.exec(script);
  });
  isTextStale = true;
  return {};
}

// Rebuilds the full-text search if clips have changed.
function freshen() {
  if (isTextStale) db.exec("INSERT INTO clip_text(clip_text) VALUES ('rebuild')");
  isTextStale = false;
}

function ask(sql) {
  const columns = [], rows = [];
  freshen();
  const statement = db.prepare(sql);
  try {
    if (!statement.columnCount) throw new Error("expected a SELECT");
    statement.getColumnNames(columns);
    while (rows.length < MAX_ROWS && statement.step()) rows.push(statement.get([]).map((value) => (value instanceof Uint8Array ? `${value.length} bytes` : value)));
    return { columns, rows };
  } finally {
    statement.finalize();
  }
}

function save() {
  freshen();
  db.exec("PRAGMA optimize");
  return { bytes: sqlite.capi.sqlite3_js_db_export(db) };
}

async function answer(message) {
  if (message.program) return begin(message);
  if ("script" in message) return put(message);
  return message.save ? save() : ask(message.sql);
}

let last = Promise.resolve();
addEventListener("message", ({ data }) => {
  last = last.then(() => answer(data)).then(postMessage, (error) =>
    postMessage({ error: String(error.message ?? error).replace(/^SQLITE_\w+: sqlite3 result code \d+: /, "") }));
});
