// Colours of two clips, on the dark stage and in plots; blue and orange are safe for colour-blind readers.
export const TINTS = ["#7fb2ff", "#ffab5e"];
export const LINES = ["--line-a", "--line-b"];
// Colours of the chosen joint and those beside it: plot lines and trails.
export const JOINT_LINES = ["--line-a", "--joint-2", "--joint-3", "--joint-4", "--joint-5"];
export const JOINT_TRAILS = ["#7fb2ff", "#4fd0a2", "#d79bff", "#e8d35a", "#ff8a75"];
