// Page with a query result: one row per row of kane query, sortable by any column, with links to clip pages.
import { clipName, commonFolder } from "./clipname.js";
import { el, figure } from "./dom.js";

const SHOWN = 500; // rows at a time
const TIMES = ["t0", "t", "torque_peak_t"]; // columns with a time in the clip
const JOINTS = ["joint", "torque_peak_joint", "role", "limiting_role"];

export class Answer {
  constructor({ head }, root) {
    Object.assign(this, { head, rows: head.rows, order: null, isDown: false, shown: SHOWN });
    this.columns = Object.keys(head.rows[0] ?? {});
    this.common = commonFolder(head.rows.map((row) => String(row.path ?? "")));
    this.table = el("table", { id: "answer" });
    this.more = el("button", { type: "button", className: "text", id: "more" });
    this.more.onclick = () => this.show(this.shown + SHOWN);
    const count = `${this.rows.length.toLocaleString("en")} ${this.rows.length === 1 ? "row" : "rows"}`;
    root.replaceChildren(el("div", { className: "library" },
      el("header", {}, el("h1", { textContent: "Answer" }), el("p", { className: "facts", id: "count", textContent: this.rows.length ? count : "No row matches" })),
      el("p", { className: "question" }, el("code", { textContent: head.question || "every clip" })),
      el("div", { className: "table-box" }, this.table), this.more));
    document.title = `${head.question || "Answer"} – kane`;
    this.show(SHOWN);
  }

  show(count) {
    this.shown = count;
    this.table.replaceChildren(el("thead", {}, el("tr", {}, ...this.columns.map((name) => this.heading(name)))),
                               el("tbody", {}, ...this.sorted().slice(0, count).map((row) => this.row(row))));
    this.more.hidden = this.rows.length <= count;
    this.more.textContent = `Show ${Math.min(SHOWN, this.rows.length - count)} more`;
  }

  // In query order until a heading is clicked. Missing values sort last.
  sorted() {
    if (this.order === null) return this.rows;
    const sign = this.isDown ? -1 : 1;
    return [...this.rows].sort((a, b) => {
      const x = a[this.order], y = b[this.order];
      if (x === null || y === null) return (x === null) - (y === null);
      return sign * (typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), "en", { numeric: true }));
    });
  }

  heading(name) {
    const isOrder = name === this.order;
    const button = el("button", { type: "button" }, name, isOrder ? el("span", { className: "arrow", textContent: this.isDown ? " ▼" : " ▲" }) : "");
    const isNumber = this.rows.some((row) => typeof row[name] === "number");
    const head = el("th", { scope: "col", className: isNumber ? "sorts" : "sorts words", "aria-sort": isOrder ? (this.isDown ? "descending" : "ascending") : "none" }, button);
    head.onclick = () => {
      this.isDown = isOrder ? !this.isDown : name !== "path";
      this.order = name;
      this.show(this.shown);
    };
    return head;
  }

  row(row) {
    return el("tr", {}, ...this.columns.map((name) => name === "path" ? el("td", { className: "path" }, this.link(row)) : this.cell(row[name])));
  }

  cell(value) {
    const isNumber = typeof value === "number";
    const text = Number.isInteger(value) ? String(value) : isNumber ? figure(value) : value ?? "–";
    return el("td", { className: isNumber ? "number" : "", textContent: text });
  }

  // Links to the clip page at the time and joint of the row.
  link(row) {
    const path = String(row.path), { name, folder } = clipName(path, this.common), page = Object.hasOwn(this.head.pages, path) ? this.head.pages[path] : "";
    const children = [name, folder ? el("span", { className: "folder", textContent: folder }) : null].filter(Boolean);
    if (!/^clips\/[\w.-]+\.html$/.test(page)) return el("span", { className: "name", title: path }, ...children);
    const wanted = new URLSearchParams(), time = TIMES.find((column) => Number.isFinite(row[column])), joint = JOINTS.find((column) => row[column]);
    if (time) wanted.set("t", row[time]);
    if (joint) wanted.set("joint", row[joint]);
    const before = this.head.folder ? `file://${this.head.folder.split("/").map(encodeURIComponent).join("/")}/` : "";
    return el("a", { className: "name", href: `${before}${page}#${wanted}`, title: path }, ...children);
  }
}
