// Comparison of two clips of the library: torque over time, and each metric in which they differ.
import { el, figure, svg, words } from "./dom.js";
import { LINES } from "./tints.js";

const HEIGHT = 90;

function curves(profiles, max) {
  const shape = svg("svg", { viewBox: `0 0 100 ${HEIGHT}`, preserveAspectRatio: "none", class: "curves", role: "img", "aria-label": "Torque of both over their length" });
  profiles.forEach((points, side) => {
    if (!points) return;
    const path = Array.from(points).reduce((d, value, i) =>
      Number.isFinite(value) ? `${d}${d ? "L" : "M"}${((100 * i) / (points.length - 1)).toFixed(2)} ${(HEIGHT - 2 - ((HEIGHT - 4) * value) / max).toFixed(1)}` : d, "");
    const line = svg("path", { d: path });
    line.style.stroke = `var(${LINES[side]})`;
    shape.append(line);
  });
  return shape;
}

const shown = (value) => (typeof value === "number" ? figure(value) : value ?? "–");

function difference(a, b) {
  if (typeof a !== "number" || typeof b !== "number") return "";
  return `${b - a > 0 ? "+" : ""}${figure(b - a)}${a !== 0 ? ` (× ${figure(b / a)})` : ""}`;
}

// library provides get, columns, roleOf, profile, nameOf; rows: the two chosen ones.
export function comparison(library, rows, onClose) {
  const role = library.roleOf(rows[0]), profiles = rows.map((row) => library.profile(library.get(row, "clip_id"), role));
  const max = Math.max(...profiles.flatMap((points) => Array.from(points ?? [])).filter(Number.isFinite), 1e-9);
  const names = rows.map((row, side) => {
    const head = el("th", { scope: "col" }, el("i", { className: "swatch" }), library.nameOf(row).name);
    head.firstChild.style.background = `var(${LINES[side]})`;
    return head;
  });
  const lines = [...library.columns.keys()].filter((column) => column !== "clip_id" && column !== "path")
    .map((column) => [column, ...rows.map((row) => library.get(row, column))]).filter(([, a, b]) => a !== b);
  const close = el("button", { type: "button", className: "text", id: "compare-close", textContent: "Close", onclick: onClose });
  const caption = role ? `torque of the ${words(role)}, up to ${figure(max)} N m/kg, from begin to end of each` : "";
  return el("section", { className: "compare", id: "compare", "aria-label": "Two clips compared" },
            el("div", { className: "compare-head" }, el("h2", { textContent: "Compared" }), close),
            profiles.some(Boolean) ? el("div", {}, curves(profiles, max), el("p", { className: "note", textContent: caption })) : null,
            el("div", { className: "table-box" }, el("table", {},
              el("thead", {}, el("tr", {}, el("th", { scope: "col", textContent: "figure" }), ...names, el("th", { scope: "col", textContent: "difference" }))),
              el("tbody", {}, ...lines.map(([column, a, b]) => el("tr", {}, el("td", { textContent: column }),
                el("td", { className: "number", textContent: shown(a) }), el("td", { className: "number", textContent: shown(b) }),
                el("td", { className: "number", textContent: difference(a, b) })))))));
}
