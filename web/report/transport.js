// Buttons, slider and clock of the player.
import { el, svg } from "./dom.js";
import { SPEEDS } from "./player.js";

const ICONS = {
  play: "M7 4.5v15l12-7.5z",
  pause: "M6 5h4.2v14H6zM13.8 5H18v14h-4.2z",
  back: "M17 5v14l-9-7zM6 5h2v14H6z",
  forward: "M7 5v14l9-7zM16 5h2v14h-2z",
  picture: "M4 7h4l1.5-2h5L16 7h4v12H4zM12 9.2a3.6 3.6 0 1 0 .01 0z",
  video: "M4 6h11v4l5-3v10l-5-3v4H4z",
  stop: "M6 6h12v12H6z",
  loop: "M7 7h9v3l4-4-4-4v3H5v6h2zM17 17H8v-3l-4 4 4 4v-3h11v-6h-2z",
};

const icon = (name) => svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));

function button(name, label, onclick) {
  return el("button", { type: "button", className: "icon", title: label, "aria-label": label, onclick }, icon(name));
}

export class Transport {
  // onVideo: null if videos are not supported.
  constructor(player, frameOf, onPicture, onVideo) {
    Object.assign(this, { player, frameOf });
    this.play = button("play", "Play or pause (space)", () => player.toggle());
    this.play.id = "play";
    this.loop = button("loop", "Repeat (L)", () => player.setLooping(!player.isLooping));
    this.video = button("video", "Save a video: plays the clip once", onVideo);
    this.video.id = "video";
    this.video.hidden = !onVideo;
    const picture = button("picture", "Save the picture (I)", onPicture);
    picture.id = "picture";
    this.slider = el("input", { id: "scrub", type: "range", min: player.start, max: player.end, step: "any", "aria-label": "Time" });
    this.slider.oninput = () => player.seek(Number(this.slider.value));
    this.speed = el("select", { id: "speed", "aria-label": "Speed", title: "Speed (up, down)" },
                    ...SPEEDS.map((speed) => el("option", { value: speed, textContent: `${speed}×` })));
    this.speed.onchange = () => player.setSpeed(Number(this.speed.value));
    this.clock = el("output", { id: "clock", className: "clock" });
    this.element = el("div", { className: "transport" },
                      button("back", "One frame back (left)", () => player.stepBy(-1)), this.play,
                      button("forward", "One frame on (right)", () => player.stepBy(1)), this.slider, this.clock, this.speed, this.loop, picture, this.video);
    this.showState();
  }

  showTime(time) {
    this.slider.value = time;
    this.clock.textContent = `${time.toFixed(2)} / ${this.player.end.toFixed(2)} s · frame ${this.frameOf(time)}`;
  }

  showState(isRecording = false) {
    this.video.replaceChildren(icon(isRecording ? "stop" : "video"));
    this.video.classList.toggle("recording", isRecording);
    this.play.replaceChildren(icon(this.player.isPlaying ? "pause" : "play"));
    this.play.classList.toggle("on", this.player.isPlaying);
    this.loop.classList.toggle("on", this.player.isLooping);
    this.loop.setAttribute("aria-pressed", String(this.player.isLooping));
    this.speed.value = this.player.speed;
  }
}
