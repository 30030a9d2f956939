// Facets of the library: selectable values with their clip counts. A facet with one value is hidden.
import { el } from "./dom.js";

const MAX = 40; // choices of a list
const within = (low, high) => (value) => value !== null && value >= low && value < high;

const LENGTHS = [["under 2 s", within(0, 2)], ["2 to 10 s", within(2, 10)], ["10 to 60 s", within(10, 60)], ["over a minute", within(60, Infinity)]];
const TRUSTED = [["all but edges", within(0.95, Infinity)], ["most", within(0.5, 0.95)], ["under half", within(-1, 0.5)]];
const VERDICTS = ["possible", "hard", "impossible", "unknown"];
const STRENGTH = [["under 80 %", within(0, 0.8)], ["80 to 100 %", within(0.8, 1)], ["more than a person can", within(1, Infinity)]];

// The most frequent values among lists, one list per row, as choices.
function listed(rows, valuesOf) {
  const counts = new Map();
  const valuesOfRow = new Map(rows.map((row) => [row, new Set(valuesOf(row))]));
  for (const values of valuesOfRow.values()) for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].filter(([value, count]) => value && count < rows.length).sort((a, b) => b[1] - a[1]).slice(0, MAX)
    .map(([value]) => value).sort().map((value) => [value, (row) => valuesOfRow.get(row).has(value)]);
}

// Each folder that contains a clip, with its ancestors.
const foldersOf = (folder) => folder.split("/").map((_, i, all) => all.slice(0, i + 1).join("/"));

const bands = (valueOf, choices) => choices.map(([name, holds]) => [name, (row) => holds(valueOf(row))]);

// library provides get(row, column), folder(row) and strength(row), the largest utilization or null.
function facetsOf(library) {
  const { rows } = library;
  return [
    ["folder", "Folder", listed(rows, (row) => foldersOf(library.folder(row)))],
    ["tag", "Tag", listed(rows, (row) => String(library.get(row, "path_words") ?? "").split(/\s+/))],
    ["length", "Length", bands((row) => library.get(row, "duration_s"), LENGTHS)],
    ["trusted", "Trusted", bands((row) => library.get(row, "trusted_fraction"), TRUSTED)],
    ["verdict", "Verdict", VERDICTS.map((word) => [word, (row) => library.get(row, "verdict") === word])],
    ["strength", "Strength", bands((row) => library.strength(row), STRENGTH)],
  ].map(([id, title, choices]) => ({ id, title, choices: choices.map(([name, test]) => ({ name, test, count: rows.filter(test).length })).filter(({ count }) => count > 0) }))
    .filter(({ choices }) => choices.length > 1);
}

export class Facets {
  constructor(library, onChange) {
    this.facets = facetsOf(library);
    this.element = el("div", { className: "facets", role: "group", "aria-label": "Facets" });
    for (const facet of this.facets) {
      facet.select = el("select", { id: `facet-${facet.id}` }, el("option", { value: "", textContent: "any" }),
                        ...facet.choices.map(({ name, count }) => el("option", { value: name, textContent: `${name} (${count.toLocaleString("en")})` })));
      facet.select.onchange = onChange;
      this.element.append(el("label", { className: "choice" }, `${facet.title} `, facet.select));
    }
  }

  test(row) {
    return this.facets.every(({ select, choices }) => select.value === "" || choices.find(({ name }) => name === select.value)?.test(row));
  }

  // Conversion to and from address parameters.
  write(address) {
    for (const { id, select } of this.facets) if (select.value) address.set(id, select.value);
  }

  read(address) {
    for (const { id, select, choices } of this.facets) {
      const wanted = address.get(id) ?? "";
      select.value = choices.some(({ name }) => name === wanted) ? wanted : "";
    }
  }
}
