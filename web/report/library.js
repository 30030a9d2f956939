// Library page: one row per clip, sortable and filterable, with a sparkline of its torque. Sort order and filters are
// part of the address, so that links and Back restore them.
import { clipName, commonFolder } from "./clipname.js";
import { comparison } from "./compare.js";
import { el, figure, measured, svg, words } from "./dom.js";
import { Facets } from "./facets.js";
import { parseFilter } from "./filter.js";

const PAGE = 100; // rows at a time
const BAND_90 = 1.645; // half-width of the 90 % band in standard deviations
const ORDER = new Intl.Collator("en", { numeric: true });
const FIGURES = [
  ["torque_peak_nm_kg", "peak", "N m/kg", "Largest torque for each kilogram of body mass, with its standard deviation; sorts by the lower end of its band"],
  ["torque_peak_all_nm_kg", "of all", "N m/kg", "The largest of all frames, also of those left out"],
  ["torque_peak_t", "at", "s", "When it is reached; the link goes there"],
  ["torque_rms_nm_kg", "RMS", "N m/kg", "Root mean square of the torque"],
  ["power_peak_w", "power", "W", "Largest power"],
  ["speed_peak_rad_s", "speed", "rad/s", "Largest angular velocity"],
];
const GENERAL = [
  ["verdict_factor", "verdict", "", "What a person can do; times a strong person, with the 90 % band; sorts by its lower end"],
  ["left_out_fraction", "left out", "", "Part of the frames that statistics leave out: the recording is bad"],
  ["duration_s", "length", "s", "Duration"],
  ["fps", "rate", "fps", "Frames a second"],
  ["mass_kg", "mass", "kg", "Mass of the body"],
  ["residual_force_rms_bw", "residual", "BW", "RMS of what the floating base would still need, in body weights"],
  ["contact_confidence", "conf.", "", "Mean confidence of the ground contact"],
  ["trusted_fraction", "trusted", "", "Part of the frames that nothing speaks against"],
];

function sparkline(points) {
  const shape = svg("svg", { viewBox: "0 0 100 24", preserveAspectRatio: "none", class: "spark", "aria-hidden": "true" });
  const max = Math.max(...points.filter(Number.isFinite), 1e-9);
  const path = Array.from(points).reduce((d, value, i) =>
    Number.isFinite(value) ? `${d}${d ? "L" : "M"}${i} ${(23 - (21 * value) / max).toFixed(1)}` : d, "");
  shape.append(svg("path", { d: path }));
  return shape;
}

// Silhouette in the pose of the largest torque.
function poster(path, size) {
  return svg("svg", { viewBox: `0 0 ${size} ${size}`, class: "poster", "aria-hidden": "true" }, svg("path", { d: path }));
}

export class Library {
  constructor({ head, series }, root) {
    this.columns = new Map(head.columns.map((name, i) => [name, i + 1]));
    this.rows = head.rows;
    this.head = head;
    this.series = series;
    this.profiles = new Map(head.profiles.map(([clip, role], i) => [`${clip} ${role}`, i]));
    this.posters = new Map(head.posters ?? []);
    this.roles = head.columns.filter((name) => /_torque_peak_nm_kg$/.test(name)).map((name) => name.slice(0, -18))
      .filter((role) => this.rows.some((row) => this.get(row, `${role}_torque_peak_nm_kg`) !== null));
    this.common = commonFolder(this.rows.map((row) => String(this.get(row, "path"))));
    this.utilizationColumns = head.columns.filter((name) => /_utilization_peak$/.test(name));
    const paths = this.rows.map((row) => [row, String(this.get(row, "path"))]).sort(([, a], [, b]) => ORDER.compare(a, b));
    this.rank = new Map(paths.map(([row], i) => [row, i])); // by path
    this.drawn = new Map(); // drawn table rows, with the metrics of the chosen role
    Object.assign(this, { role: "", order: "torque_peak_nm_kg", isDown: true, shown: PAGE, filter: () => true, chosen: [] });
    this.facets = new Facets(this, () => this.change());
    root.replaceChildren(this.layout());
    document.title = "Clips – kane";
    this.readAddress();
    addEventListener("hashchange", () => this.readAddress());
    addEventListener("pagehide", () => history.replaceState({ y: scrollY }, ""));
    if (history.state?.y) scrollTo(0, history.state.y);
  }

  // --- the address ---

  readAddress() {
    const wanted = new URLSearchParams(location.hash.slice(1));
    const order = wanted.get("sort") ?? "torque_peak_nm_kg", role = wanted.get("joint") ?? "";
    this.role = this.roles.includes(role) ? role : "";
    this.order = this.columns.has(order) ? order : "torque_peak_nm_kg";
    this.isDown = !wanted.has("up");
    this.shown = Math.max(PAGE, Number(wanted.get("rows")) || 0);
    this.search.value = wanted.get("q") ?? "";
    this.choice.value = this.role;
    this.facets.read(wanted);
    this.setFilter();
    this.update();
  }

  writeAddress() {
    const address = new URLSearchParams();
    if (this.search.value) address.set("q", this.search.value);
    if (this.role) address.set("joint", this.role);
    if (this.order !== "torque_peak_nm_kg") address.set("sort", this.order);
    if (!this.isDown) address.set("up", "1");
    if (this.shown > PAGE) address.set("rows", this.shown);
    this.facets.write(address);
    history.replaceState(history.state, "", address.size ? `#${address}` : location.pathname);
  }

  // Updates page and address after a change of sort order or filter.
  change() {
    this.shown = PAGE;
    this.update();
    this.writeAddress();
  }

  // Value of a cell by column name; null if the column is missing.
  get(row, column) {
    return row[this.columns.get(column)] ?? null;
  }

  layout() {
    this.search = el("input", { id: "filter", type: "search", spellcheck: false, autocomplete: "off",
                                placeholder: "walk   duration_s > 2   left_knee_torque_peak_nm_kg > 1", "aria-label": "Filter" });
    this.search.oninput = () => {
      this.setFilter();
      this.change();
    };
    this.choice = el("select", { id: "role", "aria-label": "Joint" }, el("option", { value: "", textContent: "hardest joint" }),
                     ...this.roles.map((role) => el("option", { value: role, textContent: words(role) })));
    this.choice.onchange = () => this.setRole(this.choice.value);
    this.sorting = el("select", { id: "sort", "aria-label": "Sort by" },
                      ...this.head.columns.filter((name) => name !== "clip_id").map((name) => el("option", { value: name, textContent: name })));
    this.sorting.onchange = () => this.sortBy(this.sorting.value);
    this.count = el("p", { className: "facts", id: "count", role: "status" });
    this.complaint = el("p", { className: "complaint", role: "alert", hidden: true });
    this.table = el("table", { id: "clips" });
    this.more = el("button", { type: "button", className: "text", id: "more" });
    this.more.onclick = () => this.showMore();
    this.compared = el("div", { id: "compared" });
    return el("div", { className: "library" },
              el("header", {}, el("h1", { textContent: "Clips" }), this.count),
              el("div", { className: "tools" }, this.search, el("label", { className: "choice" }, "Figures of ", this.choice),
                 el("label", { className: "choice" }, "Sort by ", this.sorting)),
              this.facets.element, this.complaint, this.compared, el("div", { className: "table-box" }, this.table), this.more, this.notes());
  }

  notes() {
    const notes = ["Filter: words of path, source and path_words, and conditions on any column of clip_summary, such as duration_s > 2. All must hold; -slow must not, and walk OR run asks for one of the two."];
    if (!this.rows.some((row) => row[0])) notes.push("Pages of single clips: kane report DB -o DIR --pages.");
    if (this.head.clip_count > this.rows.length) notes.push(`Of ${this.head.clip_count.toLocaleString("en")} clips the ${this.rows.length.toLocaleString("en")} hardest are shown.`);
    if (this.rows.length > this.head.max_plots) notes.push(`Small plots are those of the ${this.head.max_plots.toLocaleString("en")} hardest clips.`);
    return el("p", { className: "note", textContent: notes.join(" ") });
  }

  setFilter() {
    const { test, problem } = parseFilter(this.search.value, this.columns);
    this.complaint.hidden = !problem;
    this.complaint.textContent = problem ?? "";
    this.filter = test;
  }

  setRole(role) {
    const strip = (name) => (FIGURES.some(([column]) => name.endsWith(column)) ? FIGURES.find(([column]) => name.endsWith(column))[0] : null);
    const figureName = strip(this.order);
    this.role = role;
    this.drawn.clear();
    if (figureName) this.order = this.columnOf(figureName);
    this.change();
  }

  sortBy(column) {
    this.isDown = this.order === column ? !this.isDown : column !== "path";
    this.order = column;
    this.change();
  }

  showMore() {
    this.shown += PAGE;
    this.update();
    this.writeAddress();
  }

  // The column of the chosen role, or of the whole clip if none is chosen.
  columnOf(name) {
    return this.role ? `${this.role}_${name}` : name;
  }

  roleOf(row) {
    return this.role || this.get(row, "torque_peak_role") || "";
  }

  // {name, folder}: the short, unique name of a clip.
  nameOf(row) {
    return clipName(String(this.get(row, "path")), this.common);
  }

  folder(row) {
    return this.nameOf(row).folder;
  }

  // The largest utilization of any joint; null if the index has none.
  strength(row) {
    const known = this.utilizationColumns.map((column) => this.get(row, column)).filter((value) => value !== null);
    return known.length ? Math.max(...known) : null;
  }

  // Points of the sparkline for a clip and role; null for none.
  profile(clip, role) {
    const at = this.profiles.get(`${clip} ${role}`);
    if (at === undefined) return null;
    const [, , min, step] = this.head.profiles[at];
    return this.series.read(at * this.head.points, this.head.points, min, step);
  }

  // --- rows ---

  // The value by which a column sorts: of a peak or a factor the lower end of its band.
  sortValue(row, column) {
    const value = this.get(row, column), sd = this.spread(row, column);
    if (value === null || sd === null) return value;
    return column === "verdict_factor" ? value - sd : Math.max(0, value - BAND_90 * sd);
  }

  // Standard deviation of a peak, or half the band of the verdict's factor; null for others.
  spread(row, column) {
    if (column === "verdict_factor") return this.get(row, "verdict_band");
    return column.endsWith("torque_peak_nm_kg") ? this.get(row, column.replace(/nm_kg$/, "sd_nm_kg")) : null;
  }

  sorted() {
    const sign = this.isDown ? -1 : 1, valueOf = this.order === "path" ? (row) => this.rank.get(row) : (row) => this.sortValue(row, this.order);
    const compare = (a, b) => (typeof a === "string" || typeof b === "string" ? ORDER.compare(a, b) : a - b);
    const rows = this.rows.filter((row) => this.filter(row) && this.facets.test(row)).map((row) => [row, valueOf(row), this.rank.get(row)]);
    return rows.sort(([, x, i], [, y, j]) => {
      if (x === null || y === null) return (x === null) - (y === null) || i - j; // missing values last
      return sign * compare(x, y) || i - j;
    }).map(([row]) => row);
  }

  update() {
    const rows = this.sorted();
    this.sorting.value = this.order;
    const all = `${this.rows.length.toLocaleString("en")}${this.rows.length < this.head.clip_count ? " hardest" : ""} clips`;
    this.count.textContent = `${rows.length.toLocaleString("en")} of ${all}`;
    this.table.replaceChildren(el("thead", {}, this.headRow()),
                               el("tbody", {}, ...rows.slice(0, this.shown).map((row) => this.shownRow(row))));
    this.more.hidden = rows.length <= this.shown;
    this.more.textContent = `Show ${Math.min(PAGE, rows.length - this.shown)} more`;
  }

  // [column, heading, unit, title] of the metrics that the index has.
  figures() {
    return [...FIGURES.map(([name, ...rest]) => [this.columnOf(name), ...rest]), ...GENERAL].filter(([name]) => this.columns.has(name));
  }

  headRow() {
    const cell = ([column, text, unit, title]) => {
      const isOrder = column === this.order;
      const button = el("button", { type: "button", title }, text, unit ? el("span", { className: "unit", textContent: ` ${unit}` }) : "",
                        isOrder ? el("span", { className: "arrow", textContent: this.isDown ? " ▼" : " ▲" }) : "");
      button.onclick = () => this.sortBy(column);
      const head = el("th", { scope: "col", className: "sorts", "aria-sort": isOrder ? (this.isDown ? "descending" : "ascending") : "none" }, button);
      head.onclick = (event) => event.target === head && this.sortBy(column);
      return head;
    };
    return el("tr", {}, cell(["path", "clip", "", "Path"]), el("th", { scope: "col", textContent: this.role ? "torque" : "hardest joint" }),
              ...this.figures().map(cell));
  }

  shownRow(row) {
    if (!this.drawn.has(row)) this.drawn.set(row, this.row(row));
    const drawn = this.drawn.get(row);
    drawn.querySelector(".pick").checked = this.chosen.includes(row);
    return drawn;
  }

  row(row) {
    const role = this.roleOf(row), name = this.role ? "" : role ? words(role) : (this.get(row, "torque_peak_joint") ?? "");
    const points = this.profile(this.get(row, "clip_id"), role);
    const { folder } = this.nameOf(row);
    const pick = el("input", { type: "checkbox", className: "pick", title: "Compare with another clip",
                               "aria-label": `Compare ${this.nameOf(row).name}` });
    pick.onchange = () => this.choose(row, pick.checked);
    const drawn = this.posters.get(this.get(row, "clip_id"));
    return el("tr", {}, el("td", { className: "path" }, drawn ? poster(drawn, this.head.poster_size) : null, pick, this.link(row, role), folder ? el("span", { className: "folder", textContent: folder }) : null),
              el("td", { className: "plot-cell" }, points ? sparkline(points) : null, el("span", { textContent: name })),
              ...this.figures().map(([column]) => this.cell(row, column)));
  }

  cell(row, column) {
    const value = this.get(row, column), cell = el("td", { className: "number", textContent: typeof value === "number" ? measured(value, this.spread(row, column)) : value ?? "–" });
    if (column === "left_out_fraction" && value > 0) cell.append(el("span", { className: "unit", textContent: ` ${words(this.get(row, "left_out_reason") ?? "")}` }));
    if (column !== "verdict_factor") return cell;
    const word = this.get(row, "verdict") ?? "unknown";
    cell.title = this.get(row, "verdict_why") ?? "";
    cell.prepend(el("span", { className: `word ${word}`, textContent: word }), " ");
    return cell;
  }

  // Links to the clip page, at the peak. Only pages that kane wrote beside this one are linked.
  link(row, role) {
    const { name } = this.nameOf(row), page = row[0], title = String(this.get(row, "path"));
    if (!page || !/^clips\/[\w.-]+\.html$/.test(page)) return el("span", { className: "name", textContent: name, title });
    const wanted = new URLSearchParams();
    const time = this.get(row, this.columnOf("torque_peak_t"));
    const joint = role || this.get(row, "torque_peak_joint");
    if (time !== null) wanted.set("t", time);
    if (joint) wanted.set("joint", joint);
    return el("a", { className: "name", href: `${page}#${wanted}`, textContent: name, title });
  }

  // --- comparison ---

  // Compares the two rows chosen last.
  choose(row, isChosen) {
    this.chosen = this.chosen.filter((other) => other !== row);
    if (isChosen) this.chosen = [...this.chosen, row].slice(-2);
    this.update();
    const isPair = this.chosen.length === 2;
    this.compared.replaceChildren(isPair ? comparison(this, this.chosen, () => this.closeComparison()) : "");
    if (isPair) this.compared.scrollIntoView({ block: "nearest" });
  }

  closeComparison() {
    this.chosen = [];
    this.compared.replaceChildren();
    this.update();
  }
}
