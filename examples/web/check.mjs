// Looks at an example in a headless Chromium with WebGL 2: `node examples/web/check.mjs [EXAMPLE] [DIGIT] [SCREENSHOT]`. Saves a screenshot,
// and exits with 1 if it has no ground, no sky, no cloud or no haze. With a digit, it presses that key first: with 3, `fly_through` shows a
// shore of `islands`, and must have water too. Builds nothing: examples/README.md says how to build the page. CI does not
// run this, because Bevy takes too long to build for another target.
//
// Last run: 2026-11-29, on the development build of `fly_through 3`, in Chromium's software renderer: ground with trees, water, sky, clouds and
// haze.
import { createReadStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Browser } from './noise/test/browser.mjs';

const [example = 'fly_through', digit = '', screenshot = `target/web/${example}${digit}.png`] = process.argv.slice(2);
if (!/^\d?$/.test(digit)) throw new Error(`${digit} is no digit`);
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm' };
/** The size of the page in pixels. A processor draws it. */
const SIZE = [640, 360];
/** How long the example may take to load and to show its ground, in milliseconds. */
const PATIENCE = 300_000;

/** Serves the files of the repository on this machine. */
async function serve() {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://localhost').pathname));
    const file = join(ROOT, path.endsWith('/') ? `${path}index.html` : path);
    const found = await stat(file).catch(() => null);
    if (!found?.isFile()) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', 'content-length': found.size });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  return server;
}

/** The contents of a screenshot, as lengths of differences between mean colors from 0 to 1. Runs in a page. */
async function measure(base64) {
  const blob = await (await fetch(`data:image/png;base64,${base64}`)).blob();
  const bitmap = await createImageBitmap(blob);
  const { width, height } = bitmap;
  const context = new OffscreenCanvas(width, height).getContext('2d');
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const pixel = (x, y) => [0, 1, 2].map(channel => data[4 * (y * width + x) + channel] / 255);
  const distance = (a, b) => Math.hypot(...a.map((value, channel) => value - b[channel]));
  const mean = colors => [0, 1, 2].map(channel => colors.reduce((sum, color) => sum + color[channel], 0) / colors.length);
  const isBlue = ([red, , blue]) => blue - red > 0.12;
  // Haze is bright.
  const isWater = color => color[0] < 0.5 && isBlue(color);
  const isCloud = color => Math.min(...color) > 0.7 && !isBlue(color);
  const part = (colors, has) => colors.filter(has).length / colors.length;
  const sky = [], lower = [], beforeRidge = [], behindRidge = [], near = [];
  let detail = 0;
  // The right half: an example may have text on the left.
  for (let x = width / 2; x < width; x++) {
    for (let y = 0; y < 0.25 * height; y++) sky.push(pixel(x, y));
    for (let y = Math.floor(0.5 * height); y < height; y++) lower.push(pixel(x, y));
    for (let y = Math.floor(0.85 * height); y < height; y++) {
      near.push(pixel(x, y));
      detail += distance(pixel(x, y), pixel(x - 1, y));
    }
    // The sky changes slowly: the first step from above is a ridge.
    let ridge = 8;
    while (ridge < 0.7 * height && distance(pixel(x, ridge), pixel(x, ridge - 2)) < 0.03) ridge++;
    for (let y = 3; y < 7; y++) {
      behindRidge.push(pixel(x, ridge - y));
      beforeRidge.push(pixel(x, ridge + y));
    }
  }
  const [skyColor, nearColor, far, behind] = [sky, near, beforeRidge, behindRidge].map(mean);
  return {
    blue: part(sky, isBlue),
    clouds: part(sky, isCloud),
    water: part(lower, isWater),
    detail: detail / near.length,
    near: distance(nearColor, skyColor),
    /** How much less the farthest ground differs from the sky behind it than near ground does. */
    haze: 1 - distance(far, behind) / distance(nearColor, behind),
  };
}

/** The parts that are missing in a screenshot. */
function missing({ blue, clouds, water, detail, near, haze }) {
  const parts = [];
  if (blue < 0.1) parts.push('sky');
  if (clouds < 0.02) parts.push('clouds');
  if (digit === '3' && water < 0.1) parts.push('water');
  if (detail < 0.01 || near < 0.1) parts.push('ground');
  if (haze < 0.3) parts.push('haze');
  return parts;
}

const server = await serve();
const browser = new Browser();
try {
  // The last one is in front: a hidden page draws nothing.
  const desk = await browser.open('about:blank', SIZE);
  const page = await browser.open(`http://127.0.0.1:${server.address().port}/examples/web/?${example}`, SIZE);
  const end = Date.now() + PATIENCE;
  let parts = ['everything'], seen = {}, text = '', presses = 0;
  while (parts.length && Date.now() < end) {
    await new Promise(resolve => setTimeout(resolve, 2000));
    // A busy page answers late.
    const shown = await page.evaluate(`document.querySelector('#message')?.innerText ?? ''`).catch(() => text);
    if (shown !== text) console.log(text = shown || 'It runs.');
    if (!(await page.evaluate(`Boolean(document.querySelector('canvas'))`).catch(() => false))) continue;
    // The program listens once it runs.
    if (digit && presses < 3) {
      const key = `{ key: '${digit}', code: 'Digit${digit}', bubbles: true }`;
      for (const kind of ['keydown', 'keyup']) {
        await page.evaluate(`void document.querySelector('canvas').dispatchEvent(new KeyboardEvent('${kind}', ${key}))`).catch(() => {});
        await new Promise(resolve => setTimeout(resolve, 500));
      }
      presses++;
      continue;
    }
    const shot = await page.screenshot().catch(() => null);
    if (!shot) continue;
    await writeFile(join(ROOT, screenshot), shot);
    seen = await desk.evaluate(`(${measure})('${shot.toString('base64')}')`);
    parts = missing(seen);
  }
  console.log(`${screenshot}:`, seen);
  if (parts.length) {
    console.log(`missing: ${parts.join(', ')}`, ...page.errors);
    process.exitCode = 1;
  }
} finally {
  await browser.close();
  server.close();
}
