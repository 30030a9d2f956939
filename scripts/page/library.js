// The page of a library: a row a clip, sorted and filtered, with a small plot of its torque.
import { el, figure, svg, words } from "./dom.js";
import { parseFilter } from "./filter.js";

const PAGE = 200; // rows at a time
const FIGURES = [
  ["torque_peak_nm_kg", "peak", "Nm/kg", "Largest torque for each kilogram of body mass"],
  ["torque_peak_t", "at", "s", "When it is reached; the link goes there"],
  ["torque_rms_nm_kg", "RMS", "Nm/kg", "Root mean square of the torque"],
  ["power_peak_w", "power", "W", "Largest power"],
  ["speed_peak", "speed", "rad/s", "Largest angular velocity"],
];
const GENERAL = [
  ["duration_s", "length", "s", "Duration"],
  ["fps", "rate", "fps", "Frames a second"],
  ["mass_kg", "mass", "kg", "Mass of the body"],
  ["residual_force_rms_bw", "residual", "BW", "RMS of what the floating base would still need, in body weights"],
  ["contact_confidence", "conf.", "", "Mean confidence of the ground contact"],
];

function sparkline(points) {
  const shape = svg("svg", { viewBox: "0 0 100 24", preserveAspectRatio: "none", class: "spark", "aria-hidden": "true" });
  const most = Math.max(...points.filter(Number.isFinite), 1e-9);
  const path = Array.from(points).reduce((d, value, i) =>
    Number.isFinite(value) ? `${d}${d ? "L" : "M"}${i} ${(23 - (21 * value) / most).toFixed(1)}` : d, "");
  shape.append(svg("path", { d: path }));
  return shape;
}

export class Library {
  constructor({ head, series }, root) {
    this.columns = new Map(head.columns.map((name, i) => [name, i + 1]));
    this.rows = head.rows;
    this.head = head;
    this.series = series;
    this.profiles = new Map(head.profiles.map(([clip, role], i) => [`${clip} ${role}`, i]));
    this.roles = head.columns.filter((name) => /_torque_peak_nm_kg$/.test(name)).map((name) => name.slice(0, -18))
      .filter((role) => this.rows.some((row) => this.get(row, `${role}_torque_peak_nm_kg`) !== null));
    Object.assign(this, { role: "", order: "torque_peak_nm_kg", isDown: true, shown: PAGE, filter: () => true });
    root.replaceChildren(this.layout());
    document.title = "Clips – kane";
    this.update();
  }

  // A cell by the name of its column; null where there is none.
  get(row, column) {
    return row[this.columns.get(column)] ?? null;
  }

  layout() {
    this.search = el("input", { id: "filter", type: "search", spellcheck: false, autocomplete: "off",
                                placeholder: "walk   duration_s > 2   left_knee_torque_peak_nm_kg > 1", "aria-label": "Filter" });
    this.search.oninput = () => this.setFilter(this.search.value);
    this.choice = el("select", { id: "role", "aria-label": "Joint" }, el("option", { value: "", textContent: "hardest joint" }),
                     ...this.roles.map((role) => el("option", { value: role, textContent: words(role) })));
    this.choice.onchange = () => this.setRole(this.choice.value);
    this.count = el("p", { className: "facts", id: "count", role: "status" });
    this.complaint = el("p", { className: "complaint", role: "alert", hidden: true });
    this.table = el("table", { id: "clips" });
    this.more = el("button", { type: "button", className: "text", id: "more" });
    this.more.onclick = () => this.showMore();
    const names = el("datalist", { id: "names" }, ...this.head.columns.map((name) => el("option", { value: name })));
    return el("div", { className: "library" },
              el("header", {}, el("h1", { textContent: "Clips" }), this.count),
              el("div", { className: "tools" }, this.search, el("label", { className: "choice" }, "Figures of ", this.choice)),
              this.complaint, el("div", { className: "table-box" }, this.table), this.more, this.notes(), names);
  }

  notes() {
    const notes = ["Filter: words of path, source and tags, and conditions on any column of clip_summary, such as duration_s > 2. All must hold."];
    if (!this.rows.some((row) => row[0])) notes.push("Pages of single clips: kane report DB -o DIR --pages.");
    if (this.head.clip_count > this.rows.length) notes.push(`Of ${this.head.clip_count.toLocaleString("en")} clips the ${this.rows.length.toLocaleString("en")} hardest are shown.`);
    if (this.rows.length > this.head.most_plots) notes.push(`Small plots are those of the ${this.head.most_plots.toLocaleString("en")} hardest clips.`);
    return el("p", { className: "note", textContent: notes.join(" ") });
  }

  setFilter(text) {
    const { test, problem } = parseFilter(text, this.columns);
    this.complaint.hidden = !problem;
    this.complaint.textContent = problem ?? "";
    this.filter = test;
    this.shown = PAGE;
    this.update();
  }

  setRole(role) {
    const strip = (name) => (FIGURES.some(([column]) => name.endsWith(column)) ? FIGURES.find(([column]) => name.endsWith(column))[0] : null);
    const figureName = strip(this.order);
    this.role = role;
    if (figureName) this.order = this.columnOf(figureName);
    this.update();
  }

  sortBy(column) {
    this.isDown = this.order === column ? !this.isDown : column !== "path";
    this.order = column;
    this.shown = PAGE;
    this.update();
  }

  showMore() {
    this.shown += PAGE;
    this.update();
  }

  // With a role the column of that role, else that of the clip as a whole.
  columnOf(name) {
    return this.role ? `${this.role}_${name}` : name;
  }

  roleOf(row) {
    return this.role || this.get(row, "torque_peak_role") || "";
  }

  // Points of the small plot of a clip's role; null where there is none.
  profile(clip, role) {
    const at = this.profiles.get(`${clip} ${role}`);
    if (at === undefined) return null;
    const [, , least, step] = this.head.profiles[at];
    return this.series.read(at * this.head.points, this.head.points, least, step);
  }

  // --- rows ---

  sorted() {
    const rows = this.rows.filter(this.filter), sign = this.isDown ? -1 : 1;
    const compare = (a, b) => (typeof a === "string" || typeof b === "string" ? String(a).localeCompare(String(b), "en", { numeric: true }) : a - b);
    return rows.sort((a, b) => {
      const x = this.get(a, this.order), y = this.get(b, this.order);
      if (x === null || y === null) return (x === null) - (y === null); // not known: last, whatever the order
      return sign * compare(x, y) || compare(this.get(a, "path"), this.get(b, "path"));
    });
  }

  update() {
    const rows = this.sorted();
    const all = `${this.rows.length.toLocaleString("en")}${this.rows.length < this.head.clip_count ? " hardest" : ""} clips`;
    this.count.textContent = `${rows.length.toLocaleString("en")} of ${all}`;
    this.table.replaceChildren(el("thead", {}, this.headRow()),
                               el("tbody", {}, ...rows.slice(0, this.shown).map((row) => this.row(row))));
    this.more.hidden = rows.length <= this.shown;
    this.more.textContent = `Show ${Math.min(PAGE, rows.length - this.shown)} more`;
  }

  // [column, heading, unit, title] of the figures that the index has.
  figures() {
    return [...FIGURES.map(([name, ...rest]) => [this.columnOf(name), ...rest]), ...GENERAL].filter(([name]) => this.columns.has(name));
  }

  headRow() {
    const cell = ([column, text, unit, title]) => {
      const isOrder = column === this.order;
      const button = el("button", { type: "button", title }, text, unit ? el("span", { className: "unit", textContent: ` ${unit}` }) : "",
                        isOrder ? el("span", { className: "arrow", textContent: this.isDown ? " ▼" : " ▲" }) : "");
      button.onclick = () => this.sortBy(column);
      return el("th", { scope: "col", "aria-sort": isOrder ? (this.isDown ? "descending" : "ascending") : "none" }, button);
    };
    return el("tr", {}, cell(["path", "clip", "", "Path"]), el("th", { scope: "col", textContent: this.role ? "torque" : "hardest joint" }),
              ...this.figures().map(cell));
  }

  row(row) {
    const role = this.roleOf(row), name = this.role ? "" : role ? words(role) : (this.get(row, "torque_peak_joint") ?? "");
    const points = this.profile(this.get(row, "clip_id"), role);
    return el("tr", {}, el("td", { className: "path" }, this.link(row, role)),
              el("td", { className: "plot-cell" }, points ? sparkline(points) : null, el("span", { textContent: name })),
              ...this.figures().map(([column]) => this.cell(row, column)));
  }

  cell(row, column) {
    const value = this.get(row, column);
    return el("td", { className: "number", textContent: typeof value === "number" ? figure(value) : value ?? "–" });
  }

  // To the clip's page, at its peak. Only pages that the program has made beside this one are linked.
  link(row, role) {
    const path = String(this.get(row, "path")), page = row[0];
    if (!page || !/^clips\/[\w.-]+\.html$/.test(page)) return path;
    const wanted = new URLSearchParams();
    const time = this.get(row, this.columnOf("torque_peak_t"));
    const joint = role || this.get(row, "torque_peak_joint");
    if (time !== null) wanted.set("t", time);
    if (joint) wanted.set("joint", joint);
    return el("a", { href: `${page}#${wanted}`, textContent: path });
  }
}
