/** kane in WebAssembly: joint torques from BVH motion capture. SI units; the world is right-handed, +Y up; quaternions are
 * (w, x, y, z), child to parent. The arrays are those of a clip file: docs/formats/clip_file.md of kane lists all. */

/** Options of `kane run` by their names: `{ "body-mass": 62, "import-unit": "cm" }`; a flag is `true`. */
export type Options = Record<string, string | number | boolean | null | undefined>;

/** A clip file of `kane run` (HDF5), and the formats of `kane export`. */
export type Format = "h5" | "csv" | "tsv" | "jsonl" | "npz" | "bvh" | "mot" | "sto" | "glb";

export interface KaneArray<Values = Float64Array> {
  /** All values, the last dimension fastest. Names of joints and other labels are strings. */
  values: Values;
  /** Names of the dimensions, such as `["time", "joint", "xyz"]`. */
  dims: string[];
  /** Sizes of the dimensions, such as `[181, 22, 3]`. */
  shape: number[];
  /** Unit, such as `"N m"`; `""` for none. */
  units: string;
  /** What the array contains and in which axes. */
  about: string;
}

export interface Arrays {
  /** [time] s */
  "/time": KaneArray;
  /** [joint] names */
  "/joint": KaneArray<string[]>;
  /** [time][joint][wxyz] rotation, child to parent */
  "/motion/rotation": KaneArray;
  /** [joint] kg */
  "/body/mass": KaneArray;
  /** [time][joint][xyz] m, world */
  "/kinematics/position": KaneArray;
  /** [time][left, right][xyz] N, world */
  "/contact/foot_force": KaneArray;
  /** [time][joint][xyz] N m, world */
  "/dynamics/torque": KaneArray;
  /** [time][joint] W */
  "/dynamics/power": KaneArray;
  /** [time][coordinate] rad, about anatomical axes */
  "/angles/angle": KaneArray;
  [path: string]: KaneArray<any>;
}

export interface Contents {
  /** Version of kane. */
  version: string;
  /** Attributes by group and name: `"body/total_mass"` in kg, `"//history"`, `"//confidence"`. */
  attributes: Record<string, string | number | (number | null)[] | null>;
  arrays: Arrays;
}

export interface Result extends Contents {
  /** What `kane run` prints: decisions with confidences, warnings, results. */
  lines: string[];
}

/** The file or an option is wrong. */
export class KaneError extends Error {
  /** All that `kane run` prints; the last line is the error, as in `run: walk.bvh:4:9: expected a number, found "a"`. */
  lines: string[];
  /** Exit code of `kane run`. */
  code: number;
}

/** Runs a BVH file, given as bytes or text, through all stages. `name` stands in messages. */
export function run(bytes: Uint8Array | string, options?: Options & { name?: string }): Promise<Result>;

export interface Verdict {
  word: "unknown" | "possible" | "hard" | "impossible";
  /** One sentence. */
  why: string;
  joint: number;
  /** Name of the joint. */
  name: string;
  frame: number;
  /** s */
  t: number | null;
  /** What the motion asks over what the strongest percent of trained people have, and half its 90 % band. */
  factor: number | null;
  band: number | null;
}

/** A clip that was run; its memory is freed by `close`. */
export interface Clip {
  lines: string[];
  contents(): Contents;
  /** The clip as a file of this format. */
  export(format: Format): Uint8Array;
  /** SQL that inserts the clip into an index, under an id and a path that the index does not have. */
  rows(id: number, path: string): string;
  /** Whether a person can do it, as `kane verdict`; joint -1 and numbers null if it is not known. */
  verdict(): Verdict;
  close(): void;
}

/** One instance of the program with files of its own, for several clips and for retargeting. */
export class Kane {
  /** `wasm`: bytes of kane.wasm; by default they are read from beside the module. */
  static create(options?: { wasm?: Uint8Array }): Promise<Kane>;
  /** Stores a file under a name for `run` and for options that name files (`"retarget-to"`). */
  put(name: string, bytes: Uint8Array | string): void;
  remove(name: string): void;
  /** SQL that makes the tables of an index (docs/formats/index.md of kane) in an empty SQLite database. */
  schema(): string;
  /** Presets of `kane query` that need no argument. */
  presets(): { name: string; help: string; sql: string }[];
  /** Runs a stored file. `progress` is called with the name of each stage before it begins. Throws KaneError. */
  run(name: string, options?: Options, progress?: (stage: string) => void): Clip;
}
