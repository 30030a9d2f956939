// Buttons of the stage: camera directions, and what is drawn besides the body.
import { el } from "./dom.js";
import { GHOST_STEPS } from "./ghosts.js";

export const VIEW = { turn: 0.6, lift: 0.24 }; // three quarters, rad

export class Views {
  constructor(viewer) {
    const button = (textContent, id, title, onclick) => el("button", { type: "button", id, textContent, title, onclick });
    this.viewer = viewer;
    this.follow = button("Follow", "follow", "The camera follows (F)", () => viewer.toggleFollow());
    this.chase = button("Behind", "chase", "The camera runs behind the body, on springs (B)", () => viewer.toggleChase());
    this.overlay = button("Overlay", "overlay", "In one place or side by side (O)", () => viewer.toggleApart());
    this.trails = button("Trails", "trails", "Ways of joint, centre of mass and centre of pressure (T)", () => viewer.toggleTrails());
    this.ghosts = this.ghostChoice();
    const own = [viewer.hasDepth && this.follow, viewer.hasDepth && this.chase, viewer.clips.length > 1 && this.overlay, viewer.hasDepth && this.trails, viewer.hasDepth && this.ghosts];
    this.element = el("div", { className: "views", role: "group", "aria-label": "View" },
                      button("Front", "front", "View from the front (1)", () => viewer.setView(0, 0.08)),
                      button("Side", "side", "View from the side (2)", () => viewer.setView(Math.PI / 2, 0.08)),
                      button("¾", "quarter", "View from front and side (3)", () => viewer.setView(VIEW.turn, VIEW.lift)),
                      ...own.filter(Boolean));
  }

  ghostChoice() {
    const choice = el("select", { id: "ghosts", "aria-label": "Ghosts", title: "Ghosts every so many frames (G)" },
                      ...GHOST_STEPS.map((every) => el("option", { value: every, textContent: every ? `Ghosts ${every}` : "Ghosts" })));
    choice.onchange = () => this.viewer.setGhosts(Number(choice.value));
    return choice;
  }

  nextGhosts() {
    const at = GHOST_STEPS.indexOf(Number(this.ghosts.value)) + 1;
    this.ghosts.value = GHOST_STEPS[at % GHOST_STEPS.length];
    this.ghosts.onchange();
  }

  mark({ isFollowing, isChasing, isApart, hasTrails, ghosts }) {
    this.follow.classList.toggle("on", isFollowing);
    this.chase.classList.toggle("on", isChasing);
    this.overlay.classList.toggle("on", !isApart);
    this.trails.classList.toggle("on", hasTrails);
    this.ghosts.classList.toggle("on", ghosts > 0);
  }
}
