// What the tests of the page share.

export const DESKTOP = [1280, 800];
export const PHONE = [360, 740];
/** True once nothing is left to draw. The page takes the mark of detail away in the call that changes its state. */
export const SETTLED = `document.body?.dataset.detail === 'full' && document.body.dataset.thumbnails === '0'`;
/** The request of the image that the page shows. */
export const REQUEST = `import('./main.js').then(({ shown }) => shown.request)`;
/** The pixels of a canvas as text. */
export const pixelsOf = id => `document.getElementById('${id}').toDataURL()`;
export const MESSAGE = `document.getElementById('message').textContent`;

export let failures = 0;

/** Prints whether something is right, and `details` if it is not. */
export function check(isRight, what, details = '') {
  console.log(`${isRight ? 'ok    ' : 'FAILED'} ${what}${isRight ? '' : `\n       ${details}`}`);
  failures += !isRight;
}

/** Does something and waits until the page has drawn what comes of it. */
export async function settle(page, act) {
  // For a change that reaches the page later than `act` ends.
  await page.evaluate(`document.body.dataset.detail = ''`);
  await act();
  await page.until(SETTLED);
}

/** Shows the state of an address. Returns the request of its image. */
export async function show(page, fragment) {
  // A browser sends the event some time after the address changes. Sent by hand, it is done with when this call ends.
  await settle(page, () => page.evaluate(`history.replaceState(null, '', '#${fragment}'); dispatchEvent(new Event('hashchange'))`));
  return page.evaluate(REQUEST);
}
