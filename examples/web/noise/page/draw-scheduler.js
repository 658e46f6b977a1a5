// Decides what to draw when: a draft while something changes, the full image at rest, and thumbnails in between.
import { settingsOf } from './state.js';
import { WorkerClient } from './worker-client.js';

/** Samples along each side of the landscape. */
const SIDE = 512;
/** Milliseconds that a draft may take. If the full image takes longer, a draft has one sample for 4, 9, 16 .. of it. */
const DRAFT_TIME = 26;
const DRAFTS = [1, 2, 3, 4, 6, 8];
/** Milliseconds after the last change until the full image is drawn. */
const REST = 140;
/** Guesses of the milliseconds for a sample before there is an image: in the plane, with a warp, and in space. */
const COSTS = { plane: 4e-5, warped: 5e-4, space: 4e-3 };

export class DrawScheduler {
  #client = new WorkerClient();
  #next;
  #show;
  #showThumbnail;
  #fail;
  /** Whether to draw the image, and how: as a `draft` or in `full`. */
  #wanted = null;
  #isWorking = false;
  #isInFull = false;
  #thumbnails = [];
  #restTimer;
  /** Milliseconds for each sample, of the last image of its kind. */
  #costs = new Map();

  /**
   * - `next()` returns the state to draw, the size of the view and whether the image moves.
   * - `show(image, drawing)` shows an image, and `showThumbnail(preset, image, left)` that of a preset.
   * - `fail(error)` reports an image that could not be drawn.
   */
  constructor({ next, show, showThumbnail, fail }) {
    this.#next = next;
    this.#show = show;
    this.#showThumbnail = showThumbnail;
    this.#fail = fail;
  }

  /** Starts the worker. Returns the lists of parameters and presets. */
  start() {
    return this.#client.start();
  }

  get isBusy() {
    return this.#isWorking;
  }

  /** Whether the last image is of a state that has changed since. */
  get isOutdated() {
    return this.#wanted !== null;
  }

  /** Draws the state as it is now: a draft, and the full image at rest. */
  redraw() {
    this.#want('draft');
    if (this.#isInFull) this.#client.abandon();
  }

  /** Draws the full image without waiting for rest. */
  redrawInFull() {
    this.#want('full');
  }

  /** Draws these presets when there is nothing else to do. */
  drawThumbnails(presets, mode, side) {
    this.#thumbnails = presets.map(preset => [preset, thumbnail(preset.values, mode, side)]);
    this.#work();
  }

  #want(detail) {
    clearTimeout(this.#restTimer);
    this.#wanted = detail;
    this.#work();
  }

  /** Draws one image after another until nothing is wanted. */
  async #work() {
    if (this.#isWorking) return;
    this.#isWorking = true;
    try {
      while (this.#wanted || (this.#thumbnails.length && !this.#next().isMoving)) {
        if (this.#wanted) await this.#drawImage();
        else await this.#drawThumbnail();
      }
    } catch (error) {
      this.#fail(error);
    }
    this.#isWorking = false;
    // What was asked for while an image failed.
    if (this.#wanted) this.#work();
  }

  async #drawImage() {
    const { state, size } = this.#next();
    const drawing = this.#drawing(state, size, this.#wanted === 'draft');
    this.#isInFull = this.#wanted === 'full';
    this.#wanted = null;
    const image = await this.#client.draw(drawing.request).finally(() => (this.#isInFull = false));
    if (image) {
      this.#costs.set(drawing.kind, image.time / image.values.length);
      this.#show(image, drawing);
    }
    if (!this.#wanted && drawing.factor > 1 && !this.#next().isMoving) this.#restTimer = setTimeout(() => this.redrawInFull(), REST);
  }

  async #drawThumbnail() {
    const [preset, request] = this.#thumbnails.shift();
    this.#showThumbnail(preset, await this.#client.draw(request), this.#thumbnails.length);
  }

  /** The request for the worker, and the position of the image in the page. */
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
    // A sample is at the middle of its pixels. The first is at a whole tick, so that all others are exact.
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

/** A square of a few cells, or of two periods. */
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
