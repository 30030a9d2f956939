// Saves pictures and videos of the stage.
import { css, torqueColour } from "./colour.js";
import { el, short } from "./dom.js";

const RATE = 30, BITS = 8e6; // of a video: frames/s and bits/s
const TYPES = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"];
const CAPTION = 34, SCALE = 160; // pixels

function save(blob, name) {
  const address = URL.createObjectURL(blob);
  el("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

const fileName = (title) => title.replace(/[^\p{L}\p{N}._-]+/gu, "_").slice(0, 80) || "clip";

export const canRecord = (canvas) => Boolean(canvas.captureStream && globalThis.MediaRecorder);

// Draws the colour scale at the right end of the caption.
function drawScale(context, { tone, range }, width, top, ratio) {
  if (tone === "trust" || !tone) return;
  const left = width - (SCALE + 70) * ratio, ends = tone === "utilization" ? ["0", "≥ 100 %"] : ["0", `≥ ${short(range)} N m/kg`];
  for (let x = 0; x < SCALE / 2; x++) {
    context.fillStyle = css(torqueColour(x / (SCALE / 2 - 1)));
    context.fillRect(left + x * ratio, top + 13 * ratio, ratio + 1, 8 * ratio);
  }
  context.fillStyle = "#e8ecf2";
  context.textAlign = "right";
  context.fillText(ends[0], left - 6 * ratio, top + 21 * ratio);
  context.textAlign = "left";
  context.fillText(ends[1], left + (SCALE / 2 + 6) * ratio, top + 21 * ratio);
}

// Copies the stage and adds a caption; ratio: canvas pixels per CSS pixel.
function captioned(canvas, text, legend) {
  const ratio = canvas.width / canvas.clientWidth, top = canvas.height;
  const picture = el("canvas", { width: canvas.width, height: canvas.height + Math.round(CAPTION * ratio) });
  const context = picture.getContext("2d");
  context.fillStyle = "#1c2129";
  context.fillRect(0, 0, picture.width, picture.height);
  context.drawImage(canvas, 0, 0);
  context.font = `${12 * ratio}px system-ui, sans-serif`;
  context.fillStyle = "#e8ecf2";
  context.fillText(text, 12 * ratio, top + 21 * ratio);
  drawScale(context, legend, picture.width, top, ratio);
  return picture;
}

// Must be called in the task that drew the stage: WebGL discards the drawing buffer after it.
export function savePicture(canvas, title, frame, legend) {
  captioned(canvas, `${title} · frame ${frame}`, legend).toBlob((blob) => save(blob, `${fileName(title)}-frame${frame}.png`), "image/png");
}

// Plays a clip once from the start, at the chosen speed, and records the stage.
export class Recorder {
  constructor(canvas, player, title) {
    Object.assign(this, { canvas, player, title, recorder: null });
  }

  get isOn() {
    return this.recorder !== null;
  }

  toggle() {
    if (this.isOn) this.player.pause(); // saves what has been played
    else this.start();
  }

  start() {
    const { player } = this, parts = [], type = TYPES.find((one) => MediaRecorder.isTypeSupported(one));
    const recorder = new MediaRecorder(this.canvas.captureStream(RATE), { mimeType: type, videoBitsPerSecond: BITS });
    player.pause();
    this.wasLooping = player.isLooping;
    player.setLooping(false);
    player.seek(player.start);
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.onstop = () => save(new Blob(parts, { type: "video/webm" }), `${fileName(this.title)}.webm`);
    recorder.start();
    this.recorder = recorder;
    player.toggle();
  }

  // Called when the player starts or stops: the end of the clip ends the video, after its last picture.
  follow() {
    if (!this.isOn || this.player.isPlaying) return;
    const { recorder } = this;
    this.recorder = null;
    this.player.setLooping(this.wasLooping);
    setTimeout(() => {
      recorder.stop();
      recorder.stream.getTracks().forEach((track) => track.stop());
    }, 200);
  }
}
