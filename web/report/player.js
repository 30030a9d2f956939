// The current time, and playback.

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2];

export class Player {
  // onTime(time) is called on each new time, onState() when play state, speed or loop change.
  constructor(start, end, step, onTime, onState) {
    Object.assign(this, { start, end, step, onTime, onState, time: start, speed: 1, isPlaying: false, isLooping: true });
  }

  seek(time) {
    this.time = Math.min(Math.max(time, this.start), this.end);
    this.onTime(this.time);
  }

  toggle() {
    this.isPlaying = !this.isPlaying && this.end > this.start;
    if (this.isPlaying) {
      if (this.time >= this.end) this.seek(this.start);
      this.last = null;
      requestAnimationFrame((now) => this.tick(now));
    }
    this.onState();
  }

  pause() {
    if (this.isPlaying) this.toggle();
  }

  // Steps to a neighbouring frame; the time snaps to frames.
  stepBy(count) {
    this.pause();
    this.seek(this.start + (Math.round((this.time - this.start) / this.step) + count) * this.step);
  }

  setSpeed(speed) {
    this.speed = speed;
    this.onState();
  }

  faster(direction) {
    const at = SPEEDS.indexOf(this.speed) + direction;
    this.setSpeed(SPEEDS[Math.min(Math.max(at, 0), SPEEDS.length - 1)]);
  }

  setLooping(isLooping) {
    this.isLooping = isLooping;
    this.onState();
  }

  tick(now) {
    if (!this.isPlaying) return;
    const passed = this.last === null ? 0 : Math.min(now - this.last, 250) / 1000;
    this.last = now;
    const next = this.time + passed * this.speed;
    if (next < this.end) this.seek(next);
    else if (this.isLooping) this.seek(this.start);
    else {
      this.seek(this.end);
      this.pause();
    }
    requestAnimationFrame((then) => this.tick(then));
  }
}
