// The page: its state, and what changes it.
import { DrawScheduler } from './draw-scheduler.js';
import { listen } from './input.js';
import { Landscape } from './landscape.js';
import { MapView } from './map.js';
import { Panel, message } from './panel.js';
import { LIMITS, isSeed, presetOf, read, rounded, write } from './state.js';

const by = id => document.getElementById(id);
const view = by('view');

/** The speed of Play: pixels, cells of the first octave, and turns of the gradients, per second. */
const DRIFT = 45;
const EVOLVE = 0.16;
const FLOW = 0.08;
/** Milliseconds from a change to the new address. Browsers limit how often the address may change. */
const REMEMBER = 200;

let state, panel, landscape;
let isPlaying = false;
let isSaving = false;
let lastFrame = null;
let thumbnailMode = null;
let rememberTimer;

/** The lists of parameters and presets. The tests read them. */
export let description;
/** The last image and its drawing. The tests read them. */
export let shown = null;

const map = new MapView(by('map'), by('overlay'));
const scheduler = new DrawScheduler({
  next: () => ({ state, size: [view.clientWidth, view.clientHeight], isMoving: isPlaying }),
  show,
  showThumbnail({ name }, { pixels, columns, rows }, left) {
    panel.thumbnails.get(name).getContext('2d').putImageData(new ImageData(pixels, columns, rows), 0, 0);
    document.body.dataset.thumbnails = left;
  },
  fail,
});

const isLandscape = () => state.mode === 'landscape';

function show(image, drawing) {
  const { request, pixelsPerSample, unitsPerPixel, width, factor } = drawing;
  // The mode may have changed in the meantime.
  if (request.mode !== state.mode) return;
  shown = { image, ...drawing };
  if (isLandscape()) {
    landscape.show(image, width * request.frequency);
  } else {
    map.show(image, pixelsPerSample);
    map.showNodes(image.nodes, [view.clientWidth, view.clientHeight], 1 / unitsPerPixel, 1 / request.frequency);
  }
  panel.showImage(image);
  document.body.dataset.detail = factor === 1 && !scheduler.isOutdated ? 'full' : 'draft';
  if (isSaving && factor === 1) save().catch(fail);
}

function fail(error) {
  console.error(error);
  isSaving = false;
  if (isPlaying) controls.play();
  message(`The image could not be drawn: ${error.message}.`);
}

/** Downloads the image as it is shown. */
async function save() {
  isSaving = false;
  const link = document.createElement('a');
  link.download = `${state.preset}-${state.seed}.png`;
  link.href = URL.createObjectURL(await (isLandscape() ? landscape : map).png());
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  message(`Saved ${link.download}`);
}

/** Shows a changed state everywhere: in the controls, in the image and in the address. */
function update() {
  updateCamera();
  document.body.dataset.detail = '';
  scheduler.redraw();
  updateThumbnails();
}

/** Draws the thumbnails again if the mode of the image has other colors. */
function updateThumbnails() {
  const mode = state.mode === 'gray' ? 'gray' : 'color';
  if (mode === thumbnailMode) return;
  thumbnailMode = mode;
  document.body.dataset.thumbnails = description.presets.length;
  scheduler.drawThumbnails(description.presets, mode, panel.thumbnails.values().next().value.width);
}

/** Shows a state whose image has not changed. */
function updateCamera() {
  panel.show(state);
  landscape?.turn(state.turn, state.tilt);
  clearTimeout(rememberTimer);
  if (!isPlaying) rememberTimer = setTimeout(remember, REMEMBER);
}

function remember() {
  history.replaceState(null, '', `#${write(state, description)}`);
}

function readAddress() {
  const problems = [];
  state = read(location.hash.slice(1), description, problems);
  if (isLandscape() && !landscape) state.mode = 'color';
  if (problems.length) message(problems.join(' '));
}

function advance(now) {
  if (!isPlaying) return;
  // After a pause, such as in a hidden tab, the motion continues where it stopped.
  const seconds = lastFrame === null ? 0 : Math.min(0.1, (now - lastFrame) / 1000);
  lastFrame = now;
  if (state.motion === 'evolve') state.z = limited('z', state.z + (seconds * EVOLVE) / Number(state.values.frequency));
  else if (state.motion === 'flow') state.values.flow = rounded((Number(state.values.flow) + seconds * FLOW) % 1);
  else state.x = limited('x', state.x + (seconds * DRIFT) / state.zoom);
  if (!scheduler.isBusy) update();
  requestAnimationFrame(advance);
}

const limited = (name, value) => Math.min(LIMITS[name][1], Math.max(LIMITS[name][0], value));

async function copy(text, done) {
  try {
    await navigator.clipboard.writeText(text);
    message(done);
  } catch {
    message('This browser does not let the page copy.');
  }
}

/** The actions of the controls of the panel. */
const controls = {
  setParam(name, text) {
    state.values[name] = text;
    update();
  },
  setPreset(name) {
    state.preset = name;
    controls.reset();
  },
  reset() {
    state.values = { ...presetOf(state, description).values };
    update();
    message(presetOf(state, description).title);
  },
  setSeed(text) {
    if (!isSeed(text)) return;
    state.seed = text;
    update();
  },
  rollSeed() {
    state.seed = String(crypto.getRandomValues(new Uint32Array(1))[0]);
    update();
    message(`Seed ${state.seed}`);
  },
  setMode(mode) {
    state.mode = mode;
    update();
  },
  setPosition(name, number) {
    state[name] = number;
    if (name === 'turn' || name === 'tilt') updateCamera();
    else update();
  },
  setMotion(motion) {
    state.motion = motion;
    update();
    if (motion === 'flow' && !['Table', 'Grid'].includes(state.values.lattice)) message('Only the lattices Table and Grid flow.');
  },
  toggleNodes() {
    state.nodes = !state.nodes;
    update();
    if (state.nodes && Number(state.values.warp_strength) > 0) message('The domain warp moves the noise, but not the arrows.');
  },
  play() {
    isPlaying = !isPlaying;
    lastFrame = null;
    panel.showPlaying(isPlaying);
    if (isPlaying) requestAnimationFrame(advance);
    else update();
  },
  savePng() {
    // The image on the screen may be a draft.
    isSaving = true;
    scheduler.redrawInFull();
  },
  copyFile: () => copy(by('ron').value, 'Copied the settings file.'),
  copyLink() {
    remember();
    copy(location.href, 'Copied the link.');
  },
};

/** The actions of the pointer and the keys in the image. */
const gestures = {
  move(x, y) {
    // In the landscape, right and down are those of the eye.
    const angle = isLandscape() ? (state.turn * Math.PI) / 180 : 0;
    const [cos, sin] = [Math.cos(angle) / state.zoom, Math.sin(angle) / state.zoom];
    state.x = limited('x', state.x + x * cos + y * sin);
    state.y = limited('y', state.y + y * cos - x * sin);
    update();
  },
  turn(turn, tilt) {
    state.turn = ((((state.turn - turn + 180) % 360) + 360) % 360) - 180;
    state.tilt = limited('tilt', state.tilt + tilt);
    updateCamera();
  },
  zoom(factor) {
    state.zoom = limited('zoom', state.zoom * factor);
    update();
  },
  home() {
    Object.assign(state, { x: 0, y: 0, z: 0, zoom: 1 });
    update();
  },
  play: controls.play,
  point([left, top]) {
    if (!shown || isLandscape()) return;
    const { image, request, pixelsPerSample } = shown;
    const [column, row] = [left, top].map(pixel => Math.floor(pixel / pixelsPerSample));
    if (column < 0 || row < 0 || column >= image.columns || row >= image.rows) return;
    const { x, y, stepTicks } = request.view;
    const value = image.values[row * image.columns + column];
    panel.showValue(x + (column * stepTicks) / 1024, y + (row * stepTicks) / 1024, value);
  },
};

function openLandscape() {
  try {
    landscape = new Landscape(by('land'));
  } catch (error) {
    console.warn(error);
    const radio = document.querySelector('[name=mode][value=landscape]');
    radio.disabled = true;
    radio.parentElement.title = error.message;
  }
}

async function start() {
  description = await scheduler.start();
  openLandscape();
  readAddress();
  panel = new Panel(description, controls);
  listen(view, isLandscape, gestures);
  addEventListener('hashchange', () => {
    readAddress();
    update();
  });
  new ResizeObserver(update).observe(view);
  update();
}

start().catch(error => {
  by('waiting').textContent = `The noise could not be loaded: ${error.message}.`;
  throw error;
});
