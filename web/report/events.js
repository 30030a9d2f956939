// Events of a clip (analysis/stats/events.h): torque peaks, foot contacts, flights; of a tracked body the loss of balance
// and rest.
import { figure, words } from "./dom.js";

// Converts the event rows of the page to objects.
export const readEvents = (rows = []) => rows.map(([kind, joint, t0, t1, value]) => ({ kind, joint, t0, t1, value }));

export const nameOf = ({ role, name }) => (role ? words(role) : name);

// A peak belongs to its joint; other events to the whole body.
export const concerns = (event, joint) => event.kind !== "torque_peak" || event.joint === joint;

export function tell(clip, { kind, joint, t0, value }) {
  if (kind === "lost") return `balance lost at ${figure(t0)} s`;
  if (kind === "rest") return `at rest on the ground from ${figure(t0)} s on`;
  if (kind === "flight") return `flight from ${figure(t0)} s, ${figure(value)} s long`;
  const name = joint < 0 ? "foot" : nameOf(clip.joints[joint]);
  if (kind === "foot_contact") return `${name.replace("ankle", "foot")} comes down at ${figure(t0)} s, carries up to ${figure(value)} BW`;
  return `${name}: peak of ${figure(value)} N m/kg at ${figure(t0)} s`;
}

// The next or previous time of an event of the body or of the given joints; null for none.
export function nextTime(clips, joints, time, direction) {
  const times = clips.flatMap((clip, i) => clip.events.filter((event) => concerns(event, joints[i]))
    .flatMap(({ kind, t0, t1 }) => (kind === "torque_peak" ? [t0] : [t0, t1])));
  const ahead = times.filter((at) => direction * (at - time) > 1e-6).map((at) => direction * at);
  return ahead.length ? direction * ahead.reduce((min, at) => Math.min(min, at)) : null;
}
