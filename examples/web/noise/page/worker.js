// Computes and paints pictures beside the page, which stays responsive.
import { Noise } from './noise.js';
import { paint } from './paint.js';

/** Rows that are computed at once, and milliseconds after which it looks whether the picture is still wanted. */
const BAND = 64;
const LOOK_AFTER = 40;

let abandoned = null;

/** The values of a picture. `null` if it is no longer wanted. */
async function compute(noise, id, view) {
  const { y, stepTicks, columns, rows } = view;
  const values = new Float32Array(columns * rows);
  let looked = performance.now();
  for (let row = 0; row < rows; row += BAND) {
    values.set(noise.fill({ ...view, y: y + (row * stepTicks) / 1024, rows: Math.min(BAND, rows - row) }), row * columns);
    if (performance.now() - looked < LOOK_AFTER) continue;
    await new Promise(resolve => setTimeout(resolve));
    if (abandoned === id) return null;
    looked = performance.now();
  }
  return values;
}

/** Answers a request: a picture with its values, and the nodes if they are asked for. */
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

try {
  const noise = await Noise.load(new URL('noise.wasm', import.meta.url));
  addEventListener('message', async ({ data: { id, request, abandon } }) => {
    if (abandon !== undefined) {
      abandoned = abandon;
      return;
    }
    const picture = await draw(noise, id, request);
    const arrays = picture ? [picture.heights, picture.pixels, picture.values] : [];
    postMessage({ id, picture }, arrays.map(array => array.buffer));
  });
  postMessage({ description: noise.describe() });
} catch (error) {
  postMessage({ failure: error.message });
}
