// Colours of two clips, on the dark stage and in plots; blue and orange differ with any colour vision.
export const TINTS = ["#7fb2ff", "#ffab5e"];
export const LINES = ["--line-a", "--line-b"];
