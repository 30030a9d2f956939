// Table of clips: presets and SQL over an index in a worker. A row opens its clip at its time.
import { el, figure, nameParts } from "../report/dom.js";
import { save } from "./files.js";

const CLIPS = { name: "All clips", help: "All clips", sql: "SELECT path, duration_s, torque_peak_nm_kg, torque_peak_role AS role, torque_peak_t AS t, trusted_fraction, untrusted_reason, nullif(unsure, '') AS unsure, NULL AS failure FROM clip_summary\nUNION ALL SELECT path, NULL, NULL, NULL, NULL, NULL, NULL, NULL, message FROM failure ORDER BY path" };
const LONG = 60; // letters of a cell that is broken into lines
const TIMES = ["t", "t0", "torque_peak_t"]; // columns with the time of a row

// Answers arrive in the order of the requests.
class Database {
  constructor(script, program, about) {
    this.waiting = [];
    this.worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
    this.worker.onmessage = ({ data }) => this.waiting.shift()(data);
    this.worker.onerror = ({ message }) => this.waiting.splice(0).forEach((resolve) => resolve({ error: message }));
    this.ready = about.then(({ schema }) => this.post({ program, schema }));
  }

  post(message) {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.worker.postMessage(message);
    });
  }

  async ask(message) {
    await this.ready;
    return this.post(message);
  }
}

export class Library {
  // show(path, time, role) opens a clip of the index.
  constructor({ script, program, about, show }) {
    Object.assign(this, { database: new Database(script, program, about), show, sorted: null });
    this.presets = el("select", { "aria-label": "Preset", id: "preset" });
    this.sql = el("textarea", { id: "sql", rows: 3, spellcheck: false, "aria-label": "SQL over the index" });
    this.note = el("p", { className: "note", role: "status" });
    this.table = el("div", { className: "table-box" });
    const button = (textContent, onclick) => el("button", { type: "button", className: "text", textContent, onclick });
    this.presets.onchange = () => this.choose(this.presets.value);
    this.sql.onkeydown = (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && this.ask();
    this.element = el("main", { className: "library" },
      el("div", { className: "question" }, this.presets, this.sql, el("div", {}, button("Run", () => this.ask()), button("Save index.db", () => this.save()),
         button("Save table (.csv)", () => this.saveTable()))), this.note, this.table);
    about.then(({ presets }) => {
      this.questions = [CLIPS, ...presets];
      this.presets.append(...this.questions.map(({ name, help }) => el("option", { value: name, textContent: name, title: help })));
      this.sql.value = CLIPS.sql;
    });
  }

  // Replaces the rows of a clip or failure.
  put(path, script) {
    return this.database.ask({ path, script });
  }

  choose(name) {
    this.sql.value = this.questions.find((question) => question.name === name).sql;
    return this.ask();
  }

  async ask() {
    const { columns, rows, error } = await this.database.ask({ sql: this.sql.value });
    this.note.textContent = error ?? `${rows.length} row${rows.length === 1 ? "" : "s"}`;
    this.note.classList.toggle("wrong", Boolean(error));
    if (!error) Object.assign(this, { columns, rows, sorted: null });
    if (!error) this.draw();
  }

  async save() {
    const { bytes, error } = await this.database.ask({ save: true });
    if (error) this.note.textContent = error;
    else save("index.db", bytes, "application/vnd.sqlite3");
  }

  saveTable() {
    const cell = (value) => (/[",\n]/.test(value ?? "") ? `"${String(value).replaceAll('"', '""')}"` : value ?? "");
    save("table.csv", [this.columns, ...this.rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n", "text/csv");
  }

  sort(column) {
    const falls = this.sorted?.column === column && !this.sorted.falls;
    const order = (a, b) => (a === b ? 0 : a === null ? 1 : b === null ? -1 : (a < b ? -1 : 1) * (falls ? -1 : 1));
    this.rows.sort((a, b) => order(a[column], b[column]));
    this.sorted = { column, falls };
    this.draw();
  }

  draw() {
    const head = this.columns.map((name, i) => {
      const sort = this.sorted?.column === i ? (this.sorted.falls ? "descending" : "ascending") : "none";
      return el("th", { "aria-sort": sort }, el("button", { type: "button", textContent: name, onclick: () => this.sort(i) }));
    });
    this.table.replaceChildren(el("table", {}, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...this.rows.map((row) => this.row(row)))));
  }

  row(row) {
    const value = (name) => row[this.columns.indexOf(name)], path = value("path");
    const time = TIMES.map(value).find((t) => typeof t === "number");
    const cells = row.map((cell, i) => {
      const text = typeof cell === "number" && !Number.isInteger(cell) ? figure(cell) : String(cell ?? "–");
      const isLink = this.columns[i] === "path" && path;
      return el("td", { className: typeof cell === "number" ? "number" : text.length > LONG && !isLink ? "long" : "", title: String(cell ?? "") },
                isLink ? el("button", { type: "button", className: "name", onclick: () => this.show(path, time, value("role") ?? value("torque_peak_role")) }, ...nameParts(text)) : text);
    });
    return el("tr", {}, ...cells);
  }
}
