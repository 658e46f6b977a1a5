// The worker: computes and paints images in its own thread, so that the page stays responsive.
import { Noise } from './noise.js';
import { paint } from './paint.js';

/** Rows that are computed at once, and milliseconds after which the worker checks whether the image is still wanted. */
const BAND = 64;
const CHECK_AFTER = 40;

let abandoned = null;

/** Computes the values of an image. `null` if it is no longer wanted. */
async function compute(noise, id, view) {
  const { y, stepTicks, columns, rows } = view;
  const values = new Float32Array(columns * rows);
  let checked = performance.now();
  for (let row = 0; row < rows; row += BAND) {
    values.set(noise.fill({ ...view, y: y + (row * stepTicks) / 1024, rows: Math.min(BAND, rows - row) }), row * columns);
    if (performance.now() - checked < CHECK_AFTER) continue;
    await new Promise(resolve => setTimeout(resolve));
    if (abandoned === id) return null;
    checked = performance.now();
  }
  return values;
}

/** Draws an image: its pixels and values, and the nodes if the request asks for them. `null` if it is no longer wanted. */
async function draw(noise, id, { settings, mode, view, frequency, nodes }) {
  const began = performance.now();
  noise.compile(settings);
  const values = await compute(noise, id, view);
  if (!values) return null;
  const computeTime = performance.now() - began;
  const levels = noise.levels(view.z);
  const { columns, rows, stepTicks } = view;
  const unitsPerSample = stepTicks / 1024;
  return {
    ...paint(mode, values, columns, rows, levels, 1 / (frequency * unitsPerSample)),
    values, levels, columns, rows, about: noise.about,
    nodes: nodes ? noise.nodes(view.x, view.y, columns * unitsPerSample, rows * unitsPerSample) : null,
    computeTime, time: performance.now() - began,
  };
}

/** Posts what `work` returns, or why it failed. The buffers of typed arrays in it are moved, not copied. */
async function answer(work) {
  try {
    const result = await work();
    const arrays = Object.values(result ?? {}).filter(ArrayBuffer.isView);
    postMessage({ result }, arrays.map(array => array.buffer));
  } catch (error) {
    postMessage({ failure: error.message });
  }
}

let noise;
addEventListener('message', ({ data: { id, request, abandon } }) => {
  if (request) answer(() => draw(noise, id, request));
  else abandoned = abandon;
});
answer(async () => {
  noise = await Noise.load(new URL('noise.wasm', import.meta.url));
  return noise.describe();
});
