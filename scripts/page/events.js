// Events of a clip (analysis/stats/events.h): peaks of torque, feet on the ground, flights.
import { figure, words } from "./dom.js";

// What the page holds of each event.
export const readEvents = (rows = []) => rows.map(([kind, joint, t0, t1, value]) => ({ kind, joint, t0, t1, value }));

export const nameOf = ({ role, name }) => (role ? words(role) : name);

// A peak concerns its joint, all else the whole body.
export const concerns = (event, joint) => event.kind !== "torque_peak" || event.joint === joint;

export function tell(clip, { kind, joint, t0, value }) {
  if (kind === "flight") return `flight from ${figure(t0)} s, ${figure(value)} s long`;
  const name = joint < 0 ? "foot" : nameOf(clip.joints[joint]);
  if (kind === "foot_contact") return `${name.replace("ankle", "foot")} comes down at ${figure(t0)} s, carries up to ${figure(value)} BW`;
  return `${name}: peak of ${figure(value)} Nm/kg at ${figure(t0)} s`;
}

// The next time before or behind a given one at which something happens to a joint or the body; null for none.
export function nextTime(clips, joints, time, direction) {
  const times = clips.flatMap((clip, i) => clip.events.filter((event) => concerns(event, joints[i]))
    .flatMap(({ kind, t0, t1 }) => (kind === "torque_peak" ? [t0] : [t0, t1])));
  const ahead = times.filter((at) => direction * (at - time) > 1e-6).map((at) => direction * at);
  return ahead.length ? direction * ahead.reduce((least, at) => Math.min(least, at)) : null;
}
