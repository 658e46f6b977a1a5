// Drives the page in a headless Chromium: `node page.mjs NOISE_WASM PAGE_VALUES [FOLDER_FOR_SCREENSHOTS]`. Exits with 1 if
// a check fails. `.ci/other-targets` builds both programs and runs it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { serve } from '../serve.mjs';
import { Browser } from './browser.mjs';
import { DESKTOP, PHONE, SETTLED, check, failures } from './check.mjs';
import * as controls from './controls.mjs';
import { everythingCanBeReadAndReached } from './layout.mjs';
import * as image from './image.mjs';

const [wasm, valuesProgram, screenshots] = process.argv.slice(2);
/** The largest WebAssembly file that loads in about a second on a slow line. */
const MAX_BYTES = 400_000;

const bytes = readFileSync(wasm);
check(bytes.length <= MAX_BYTES, `the program has ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} compressed`, `allowed: ${MAX_BYTES}`);
const server = await serve(0, wasm);
const url = `http://127.0.0.1:${server.address().port}/`;
const browser = new Browser();

/** Runs a test and prints how long it took. */
async function run(test, ...args) {
  const began = performance.now();
  await test(...args);
  console.log(`       ${((performance.now() - began) / 1000).toFixed(1)} s`);
}

try {
  const [desktop, phone] = [await browser.open(url, DESKTOP), await browser.open(url, PHONE, { scheme: 'dark' })];
  await phone.until(SETTLED);
  // The small page draws faster.
  await run(image.valuesAreTheNativeOnes, phone, valuesProgram);
  await run(image.theArrowsStandAtTheNodes, phone);
  await run(image.playMovesTheImage, phone);
  await run(image.playTurnsTheGradients, phone);
  await run(image.theImageCanBeSaved, phone);
  await run(image.theThumbnailsHaveTheColorsOfTheImage, phone);
  await run(controls.anArrowKeyOnEachSliderChangesTheImage, phone);
  await run(controls.noSliderIsStuck, phone);
  await run(controls.keysMoveAndTurnTheImage, phone);
  await run(controls.fingersMoveAndZoomTheImage, phone);
  await run(everythingCanBeReadAndReached, phone, PHONE);
  await run(image.aFailureIsToldAndTheNextImageIsDrawn, phone);
  await desktop.send('Page.bringToFront');
  await desktop.until(SETTLED);
  await run(everythingCanBeReadAndReached, desktop, DESKTOP);
  await run(controls.theSettingsFileIsShown, desktop);
  await run(controls.wrongAddressesAreExplained, desktop);
  await run(controls.everyControlHasAName, desktop);
  const errors = [...new Set([...desktop.errors, ...phone.errors])];
  check(errors.length === 0, 'no errors and no warnings in the console', errors.join('\n       '));
  if (screenshots) await takeScreenshots();
} finally {
  await browser.close();
  server.close();
}
process.exitCode = failures ? 1 : 0;

async function takeScreenshots() {
  mkdirSync(screenshots, { recursive: true });
  const all = [
    ['gray', DESKTOP, 'light', 'mode=gray'], ['color', DESKTOP, 'light', 'mode=color'],
    ['gradients', DESKTOP, 'light', 'mode=color&preset=one_octave&zoom=3&nodes=on'], ['landscape', DESKTOP, 'light', ''],
    ['landscape-dark', DESKTOP, 'dark', 'preset=ridged&motion=evolve&z=55&turn=50'],
    ['phone-gray', PHONE, 'light', 'mode=gray'], ['phone-color', PHONE, 'dark', 'mode=color&preset=ridged'],
    ['phone-landscape', PHONE, 'light', ''],
  ];
  for (const [name, size, scheme, fragment] of all) {
    const page = await browser.open(`${url}#${fragment}`, size, { scheme });
    await page.until(SETTLED);
    writeFileSync(`${screenshots}/${name}.png`, await page.screenshot());
    await page.close();
  }
}
