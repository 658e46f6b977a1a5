// When to draw what: a draft while something changes, the full picture at rest, and thumbnails in between.
import { Artist } from './artist.js';
import { settingsOf } from './state.js';

/** Samples along each side of the landscape. */
const SIDE = 512;
/** Milliseconds that a picture may take while something changes. If all its samples took longer, a draft has one in 4, 9, 16 .. */
const DRAFT_TIME = 26;
const DRAFTS = [1, 2, 3, 4, 6, 8];
/** Milliseconds after the last change until the full picture is drawn. */
const REST = 140;
/** Guesses of the milliseconds for a sample before there is a picture: in the plane, with a warp, and in space. */
const COSTS = { plane: 4e-5, warped: 5e-4, space: 4e-3 };

export class Studio {
  #artist = new Artist();
  #next;
  #thumbnail;
  #show;
  /** Whether the picture is to be drawn, and how: as a `draft` or in `full`. */
  #wanted = null;
  #isInFull = false;
  #thumbnails = [];
  #restTimer;
  /** Milliseconds for each sample, of the last picture of its kind. */
  #costs = new Map();

  /**
   * `next` gives the state to draw, the size of the view and whether it moves; `show` takes a picture and its drawing, and
   * `thumbnail` those of a preset.
   */
  constructor(next, show, thumbnail) {
    this.#next = next;
    this.#show = show;
    this.#thumbnail = thumbnail;
  }

  start() {
    return this.#artist.start();
  }

  get isBusy() {
    return this.#artist.isBusy;
  }

  /** Draws soon. */
  redraw() {
    clearTimeout(this.#restTimer);
    this.#wanted = 'draft';
    if (this.#isInFull) this.#artist.abandon();
    this.#work();
  }

  /** Draws these presets when there is nothing else to do. */
  drawThumbnails(presets, mode, side) {
    this.#thumbnails = presets.map(preset => [preset, thumbnail(preset.values, mode, side)]);
    this.#work();
  }

  async #work() {
    if (this.#artist.isBusy) return;
    const { state, size, isMoving } = this.#next();
    if (this.#wanted) {
      const isDraft = this.#wanted === 'draft';
      const drawing = this.#drawing(state, size, isDraft);
      this.#wanted = null;
      this.#isInFull = !isDraft;
      const picture = await this.#artist.draw(drawing.request);
      this.#isInFull = false;
      if (picture) {
        this.#costs.set(drawing.kind, picture.time / picture.values.length);
        this.#show(picture, drawing);
      }
      if (!this.#wanted && drawing.factor > 1 && !isMoving) {
        this.#restTimer = setTimeout(() => {
          this.#wanted = 'full';
          this.#work();
        }, REST);
      }
    } else if (this.#thumbnails.length && !isMoving) {
      const [preset, request] = this.#thumbnails.shift();
      this.#thumbnail(preset, await this.#artist.draw(request), this.#thumbnails.length);
    } else {
      return;
    }
    this.#work();
  }

  /** What to ask the worker for, and where the picture belongs in the page. */
  #drawing(state, viewSize, isDraft) {
    const isLandscape = state.mode === 'landscape';
    const isEvolving = state.motion === 'evolve';
    const ratio = isLandscape ? 1 : Math.min(2, devicePixelRatio);
    const size = isLandscape ? [SIDE, SIDE] : viewSize;
    const fullStep = Math.max(1, Math.round(1024 / (state.zoom * ratio)));
    const unitsPerPixel = (fullStep * ratio) / 1024;

    const domain = isEvolving ? 'space' : Number(state.values.warp_strength) > 0 ? 'warped' : 'plane';
    const kind = [state.mode, domain, state.values.octaves].join();
    const time = (this.#costs.get(kind) ?? COSTS[domain]) * size[0] * size[1] * ratio ** 2;
    const factor = isDraft ? DRAFTS.find(factor => time / factor ** 2 < DRAFT_TIME) ?? DRAFTS.at(-1) : 1;
    const [columns, rows] = size.map(pixels => Math.max(2, Math.ceil((pixels * ratio) / factor)));
    // A sample stands for the middle of its pixels. The first is at a whole tick, from where all others are exact.
    const middle = ((factor - 1) / 2) * (fullStep / 1024);
    const [x, y] = [state.x, state.y].map((center, i) => Math.round((center - (size[i] / 2) * unitsPerPixel + middle) * 1024) / 1024);
    return {
      request: {
        settings: settingsOf(state), mode: state.mode, frequency: Number(state.values.frequency),
        nodes: state.nodes && !isLandscape && !isEvolving,
        view: { x, y, z: isEvolving ? state.z : null, stepTicks: fullStep * factor, columns, rows },
      },
      kind, factor, unitsPerPixel, pixelsPerSample: factor / ratio,
      /** The width of a landscape, in units. */
      width: SIDE * unitsPerPixel,
    };
  }
}

/** A square of a few cells, or of twice as many as repeat. */
function thumbnail(values, mode, side) {
  const period = Number(values.period_x);
  const frequency = Number(values.frequency);
  const cells = period > 0 && period <= 8 ? 2 * period : 3.5;
  const stepTicks = Math.round((1024 * cells) / (frequency * side));
  return {
    settings: settingsOf({ seed: '42', values }), mode, frequency, nodes: false,
    view: { x: 0, y: 0, z: null, stepTicks, columns: side, rows: side },
  };
}
