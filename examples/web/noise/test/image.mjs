// Tests of what the page draws.
import { execFileSync } from 'node:child_process';
import { MESSAGE, REQUEST, check, pixelsOf, settle, show } from './check.mjs';

/** The hash of the bits of the values in the page, as the program `page_values` prints it, and how many values differ. */
const HASH = `import('./main.js').then(({ shown: { image } }) => {
  const words = new Uint32Array(image.values.buffer);
  let hash = 0xcbf29ce484222325n;
  for (const word of words) {
    for (let shift = 0; shift < 32; shift += 8) hash = BigInt.asUintN(64, (hash ^ BigInt((word >>> shift) & 255)) * 0x100000001b3n);
  }
  return { hash: hash.toString(16).padStart(16, '0'), distinct: new Set(words).size };
})`;

export async function valuesAreTheNativeOnes(page, valuesProgram) {
  const fragments = [
    'preset=mixed&mode=color&seed=7', 'preset=ridged&mode=gray&x=-1e7&y=12345.678&zoom=0.3', 'preset=damped&mode=landscape',
    'preset=warped&mode=color&seed=18446744073709551615', 'preset=six_bits&mode=color', 'preset=tiling&mode=color&zoom=7',
    'preset=mixed&mode=color&motion=evolve&z=33.3', 'preset=table&mode=landscape&shape=Hybrid&exponent=1.4&fade=Linear',
  ];
  for (const fragment of fragments) {
    const { settings, view: { x, y, z, stepTicks, columns, rows } } = await show(page, fragment);
    const { hash, distinct } = await page.evaluate(HASH);
    const position = z === null ? [x, y] : [x, y, z];
    const native = execFileSync(valuesProgram, [settings.replaceAll('\n', '&'), ...position, stepTicks, columns, rows].map(String)).toString().trim();
    check(hash === native && distinct > 1000, `the values of ${fragment} are the native ones`, `${hash} in the browser, ${native} natively, ${distinct} distinct`);
  }
}

export async function theArrowsStandAtTheNodes(page) {
  await show(page, 'mode=gray&preset=one_octave&zoom=4');
  const blank = await page.evaluate(pixelsOf('overlay'));
  await show(page, 'mode=gray&preset=one_octave&zoom=4&nodes=on');
  const nodes = await page.evaluate(`import('./main.js').then(({ shown: { image } }) => Array.from(image.nodes))`);
  // Cells of 20 units, with a node at the middle of the image.
  const [width, height] = await page.evaluate(`[view.clientWidth / 4, view.clientHeight / 4]`);
  const expected = [width, height].map(side => 2 * Math.floor(side / 2 / 20) + 1);
  check(nodes.length === 4 * expected[0] * expected[1], 'there is an arrow for each node in the image', `${nodes.length / 4}, not ${expected}`);
  check(await page.evaluate(pixelsOf('overlay')) !== blank, 'the arrows are drawn');
}

export async function playMovesTheImage(page) {
  for (const [motion, axis] of [['drift', 'x'], ['evolve', 'z']]) {
    const { view: before } = await show(page, `mode=gray&motion=${motion}`);
    const pixels = await page.evaluate(pixelsOf('map'));
    await page.evaluate(`document.getElementById('play').click()`);
    await page.until(`${REQUEST}.then(({ view }) => view.${axis} > ${before[axis]} + 2)`);
    await settle(page, () => page.evaluate(`document.getElementById('play').click()`));
    const { view: after } = await page.evaluate(REQUEST);
    const isFull = after.columns === before.columns && after.stepTicks === before.stepTicks;
    check(isFull && await page.evaluate(pixelsOf('map')) !== pixels, `Play moves ${axis} and ends with a full image`);
  }
}

export async function playTurnsTheGradients(page) {
  const { settings: before } = await show(page, 'mode=gray&preset=table&motion=flow');
  const pixels = await page.evaluate(pixelsOf('map'));
  await page.evaluate(`document.getElementById('play').click()`);
  await page.until(`${REQUEST}.then(({ settings }) => settings !== ${JSON.stringify(before)})`);
  await settle(page, () => page.evaluate(`document.getElementById('play').click()`));
  check(await page.evaluate(pixelsOf('map')) !== pixels, 'Play turns the gradients');
}

/** Presses the button PNG. Returns the type and the size of the image that the page saves. */
const SAVE = `new Promise(resolve => {
  const make = URL.createObjectURL;
  URL.createObjectURL = blob => {
    URL.createObjectURL = make;
    resolve(createImageBitmap(blob).then(({ width, height }) => [blob.type, blob.size > 10_000, width, height]));
    return make(blob);
  };
  document.getElementById('png').click();
})`;

export async function theImageCanBeSaved(page) {
  await page.send('Page.setDownloadBehavior', { behavior: 'deny' });
  const expected = JSON.stringify(['image/png', true, ...await page.evaluate(`[view.clientWidth, view.clientHeight]`)]);
  for (const mode of ['gray', 'landscape']) {
    await show(page, `mode=${mode}&seed=5`);
    const saved = JSON.stringify(await page.evaluate(SAVE));
    check(saved === expected, `PNG saves the image in ${mode}`, `${saved}, not ${expected}`);
  }
  // In space, where a moving image is a draft on most machines.
  const { view: { z } } = await show(page, 'mode=gray&motion=evolve');
  await page.evaluate(`document.getElementById('play').click()`);
  await page.until(`${REQUEST}.then(({ view }) => view.z > ${z})`);
  const saved = JSON.stringify(await page.evaluate(SAVE));
  check(saved === expected, 'PNG saves the full image while it moves', `${saved}, not ${expected}`);
  await settle(page, () => page.evaluate(`document.getElementById('play').click()`));
}

/** Whether the first thumbnail has pixels that are not gray. */
const HAS_COLORS = `(() => {
  const copy = new OffscreenCanvas(72, 72).getContext('2d', { willReadFrequently: true });
  copy.drawImage(document.querySelector('#presets canvas'), 0, 0);
  const { data } = copy.getImageData(0, 0, 72, 72);
  return data.some((channel, i) => i % 4 === 1 && channel !== data[i - 1]);
})()`;

export async function theThumbnailsHaveTheColorsOfTheImage(page) {
  for (const [mode, hasColors] of [['gray', false], ['landscape', true], ['gray', false], ['color', true]]) {
    await show(page, `mode=${mode}`);
    check(await page.evaluate(HAS_COLORS) === hasColors, `an address in ${mode} draws the thumbnails so`);
  }
}

export async function aFailureIsToldAndTheNextImageIsDrawn(page) {
  await show(page, 'mode=gray');
  await page.evaluateInWorkers(`Float32Array.from = () => { throw new Error('no more colors'); }`);
  await page.evaluate(`location.hash = 'mode=gray&seed=8'`);
  await page.until(`${MESSAGE}.includes('no more colors')`);
  const { settings } = await show(page, 'mode=gray&seed=9');
  check(settings.includes('seed=9'), 'a failure is reported, and the next image is drawn');
  const errors = page.errors.splice(0);
  check(errors.length > 0 && errors.every(error => error.includes('no more colors')), 'and the console has nothing else', errors.join('\n'));
}
