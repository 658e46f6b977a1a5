// Drives the page in a headless Chromium: `node page.mjs NOISE_WASM PAGE_VALUES [FOLDER_FOR_SCREENSHOTS]`. Exits with 1 if
// anything is wrong. `.ci/other-targets` builds both programs and runs it.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { serve } from '../serve.mjs';
import { Browser } from './browser.mjs';

const [wasm, valuesProgram, screenshots] = process.argv.slice(2);
/** The largest program that is still there at once, on a slow line too. */
const MOST_BYTES = 400_000;
const DESKTOP = [1280, 800];
const PHONE = [360, 740];
const SETTLED = `document.body?.dataset.detail === 'full' && document.body.dataset.thumbnails === '0'`;

let failures = 0;

function check(isRight, what, details = '') {
  console.log(`${isRight ? 'ok    ' : 'FAILED'} ${what}${isRight ? '' : `\n       ${details}`}`);
  failures += !isRight;
}

/** What the page shows: its request, and the hash of the bits of its values as the program `page_values` prints it. */
const SHOWN = `(async () => {
  const { shown: { request, picture } } = await import('./main.js');
  const words = new Uint32Array(picture.values.buffer);
  let hash = 0xcbf29ce484222325n;
  for (const word of words) {
    for (let shift = 0; shift < 32; shift += 8) hash = BigInt.asUintN(64, (hash ^ BigInt((word >>> shift) & 255)) * 0x100000001b3n);
  }
  return { request, hash: hash.toString(16).padStart(16, '0'), distinct: new Set(words).size };
})()`;

/** The pixels of a canvas as text. */
const pixelsOf = id => `document.getElementById('${id}').toDataURL()`;

async function show(page, fragment) {
  // The mark goes with the next draft or full picture.
  await page.evaluate(`document.body.dataset.detail = ''; location.hash = '${fragment}'`);
  await page.until(SETTLED);
  return page.evaluate(SHOWN);
}

async function valuesAreTheNativeOnes(page) {
  const fragments = [
    'preset=mixed&mode=color&seed=7', 'preset=ridged&mode=gray&x=-1e7&y=12345.678&zoom=0.3', 'preset=damped&mode=landscape',
    'preset=warped&mode=color&seed=18446744073709551615', 'preset=six_bits&mode=color', 'preset=tiling&mode=color&zoom=7',
    'preset=mixed&mode=color&motion=evolve&z=33.3', 'preset=table&mode=landscape&shape=Hybrid&exponent=1.4&fade=Linear',
  ];
  for (const fragment of fragments) {
    const { request: { settings, view: { x, y, z, stepTicks, columns, rows } }, hash, distinct } = await show(page, fragment);
    const place = z === null ? [x, y] : [x, y, z];
    const native = execFileSync(valuesProgram, [settings.replaceAll('\n', '&'), ...place, stepTicks, columns, rows].map(String)).toString().trim();
    check(hash === native && distinct > 1000, `the values of ${fragment} are the native ones`, `${hash} in the browser, ${native} natively, ${distinct} distinct`);
  }
}

async function keysChangeThePicture(page) {
  await show(page, 'mode=color');
  for (const name of ['persistence', 'octaves', 'frequency']) {
    const before = [await page.evaluate(SHOWN), await page.evaluate(pixelsOf('map'))];
    await page.evaluate(`document.body.dataset.detail = ''; document.getElementById('param-${name}').focus()`);
    await page.press('ArrowRight');
    await page.until(SETTLED);
    const after = [await page.evaluate(SHOWN), await page.evaluate(pixelsOf('map'))];
    check(before[0].hash !== after[0].hash && before[1] !== after[1], `an arrow key on the slider ${name} changes the picture`);
    await page.until(`location.hash.includes('${name}=')`);
  }
  await page.evaluate(`document.body.dataset.detail = ''; document.getElementById('view').focus()`);
  const { request: { view: before } } = await page.evaluate(SHOWN);
  await page.press('ArrowRight');
  await page.until(SETTLED);
  const { request: { view: after } } = await page.evaluate(SHOWN);
  check(after.x === before.x + 24 && after.y === before.y, 'an arrow key in the picture moves it', `from ${before.x} to ${after.x}`);

  await show(page, 'mode=landscape');
  await page.evaluate(`document.getElementById('view').focus()`);
  const turned = await page.evaluate(pixelsOf('land'));
  await page.press('ArrowRight');
  check(await page.evaluate(pixelsOf('land')) !== turned, 'an arrow key turns the landscape');
  const same = await page.evaluate(`new Set(document.getElementById('land').toDataURL()).size`);
  check(turned.length > 20_000 && same > 30, 'the landscape is drawn', `${turned.length} characters`);
}

async function playMovesThePicture(page) {
  for (const [motion, axis] of [['drift', 'x'], ['evolve', 'z']]) {
    const before = await show(page, `mode=gray&motion=${motion}`);
    await page.evaluate(`document.getElementById('play').click()`);
    await page.until(`(async () => (await import('./main.js')).shown.request.view.${axis} > ${before.request.view[axis]} + 2)()`);
    await page.evaluate(`document.body.dataset.detail = ''; document.getElementById('play').click()`);
    await page.until(SETTLED);
    const after = await page.evaluate(SHOWN);
    check(after.hash !== before.hash, `Play moves ${axis} and ends with a full picture`);
  }
}

async function theArrowsStandAtTheNodes(page) {
  await show(page, 'mode=gray&preset=one_octave&zoom=4');
  const blank = await page.evaluate(pixelsOf('overlay'));
  await show(page, 'mode=gray&preset=one_octave&zoom=4&nodes=on');
  const nodes = await page.evaluate(`import('./main.js').then(({ shown: { picture } }) => Array.from(picture.nodes))`);
  // Cells of 20 units, with a node at the middle of the picture.
  const [width, height] = await page.evaluate(`[view.clientWidth / 4, view.clientHeight / 4]`);
  const expected = [width, height].map(side => 2 * Math.floor(side / 2 / 20) + 1);
  check(nodes.length === 4 * expected[0] * expected[1], 'there is an arrow for each node in the picture', `${nodes.length / 4}, not ${expected}`);
  check(await page.evaluate(pixelsOf('overlay')) !== blank, 'the arrows are drawn');
}

async function thePictureAndTheFileCanBeSaved(page) {
  await page.send('Page.setDownloadBehavior', { behavior: 'deny' });
  for (const mode of ['gray', 'landscape']) {
    await show(page, `mode=${mode}&seed=5`);
    const bytes = await page.evaluate(`new Promise(resolve => {
      const make = URL.createObjectURL;
      URL.createObjectURL = blob => {
        URL.createObjectURL = make;
        resolve(blob.arrayBuffer().then(buffer => [blob.size, ...new Uint8Array(buffer, 1, 3)]));
        return make(blob);
      };
      document.getElementById('png').click();
    })`);
    check(bytes[0] > 10_000 && String.fromCharCode(...bytes.slice(1)) === 'PNG', `${mode} can be saved as a PNG`, bytes);
  }
  const file = await page.evaluate(`document.getElementById('ron').value`);
  check(file.includes('seed: 5,') && file.includes('octaves: 8,'), 'the settings file is there', file);
}

async function everyControlHasAName(page) {
  await show(page, 'mode=landscape&motion=evolve');
  await page.evaluate(`document.querySelectorAll('details').forEach(details => (details.open = true))`);
  const { nodes } = await page.send('Accessibility.getFullAXTree');
  const roles = ['application', 'button', 'checkbox', 'combobox', 'image', 'link', 'radio', 'radiogroup', 'slider', 'spinbutton', 'textbox'];
  const isFocusable = node => node.properties?.some(({ name, value }) => name === 'focusable' && value.value);
  const controls = nodes.filter(node => !node.ignored && (roles.includes(node.role?.value) || isFocusable(node)));
  const unnamed = controls.filter(node => !node.name?.value?.trim());
  check(controls.length > 60, 'the accessibility tree has all controls', `${controls.length}`);
  check(unnamed.length === 0, 'every control has an accessible name', JSON.stringify(unnamed.map(node => [node.role.value, node.properties])));
  const names = await page.evaluate(`[...document.querySelectorAll('.param label')].map(label => label.textContent)`);
  const spoken = new Set(controls.map(node => node.name.value));
  check(names.every(name => spoken.has(name)), 'each of them is known by its label', names.filter(name => !spoken.has(name)));
}

async function nothingIsWiderThanAPhone(page) {
  for (const mode of ['gray', 'color', 'landscape']) {
    await show(page, `mode=${mode}&motion=evolve`);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    check(width <= PHONE[0], `no horizontal scroll at ${PHONE[0]} pixels in ${mode}`, `${width} pixels`);
  }
}

async function wrongAddressesAreExplained(page) {
  await show(page, 'mode=color&octaves=99&shape=Rigid&seed=-3&zoom=100');
  const told = await page.evaluate(`document.getElementById('message').textContent`);
  check(['octaves is 99', 'shape is Rigid', 'seed is -3', 'zoom is 100'].every(part => told.includes(part)), 'a wrong address is explained', told);
  check(await page.evaluate(`document.getElementById('param-octaves-exact').value`) === '8', 'and its wrong parts have no effect');
}

const bytes = readFileSync(wasm);
check(bytes.length <= MOST_BYTES, `the program has ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} compressed`, `allowed: ${MOST_BYTES}`);
const server = await serve(0, wasm);
const url = `http://127.0.0.1:${server.address().port}/`;
const browser = new Browser();
try {
  const [desktop, phone] = [await browser.open(url, DESKTOP), await browser.open(url, PHONE, { scheme: 'dark' })];
  await phone.until(SETTLED);
  await valuesAreTheNativeOnes(phone);
  await theArrowsStandAtTheNodes(phone);
  await nothingIsWiderThanAPhone(phone);
  await desktop.send('Page.bringToFront');
  await desktop.until(SETTLED);
  await keysChangeThePicture(desktop);
  await playMovesThePicture(desktop);
  await thePictureAndTheFileCanBeSaved(desktop);
  await wrongAddressesAreExplained(desktop);
  await everyControlHasAName(desktop);
  const errors = [...new Set([...desktop.errors, ...phone.errors])];
  check(errors.length === 0, 'no errors and no warnings in the console', errors.join('\n       '));
  if (screenshots) await takeScreenshots();
} finally {
  await browser.close();
  server.close();
}
process.exitCode = failures ? 1 : 0;

async function takeScreenshots() {
  const all = [
    ['gray', DESKTOP, 'light', 'mode=gray&preset=warped'], ['color', DESKTOP, 'light', 'mode=color'],
    ['gradients', DESKTOP, 'light', 'mode=color&preset=one_octave&zoom=3&nodes=on'], ['landscape', DESKTOP, 'light', ''],
    ['landscape-dark', DESKTOP, 'dark', 'preset=ridged&motion=evolve&z=55&turn=50'],
    ['phone', PHONE, 'light', ''], ['phone-dark', PHONE, 'dark', 'mode=color&preset=ridged'],
  ];
  for (const [name, size, scheme, fragment] of all) {
    const page = await browser.open(`${url}#${fragment}`, size, { scheme });
    await page.until(SETTLED);
    writeFileSync(`${screenshots}/${name}.png`, await page.screenshot());
    await page.close();
  }
}
