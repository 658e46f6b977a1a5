// Tests that the page can be read and used at a size: nothing is cut off, too small or covered.
import { check, show } from './check.mjs';

/** The smallest text and the smallest target of a finger, in pixels. */
const MIN_FONT = 12;
const MIN_TARGET = 24;

/** Long numbers in each field and in the legend. */
const LONG = 'seed=18446744073709551615&x=-123456789012.345&y=-987654321098.765&zoom=0.0625&height_scale=-9999.75&frequency=0.00123456'
  + '&warp_strength=1234.5678&motion=evolve&z=-123456789.123';

/** All that is wrong with the layout, as a list of sentences. */
const PROBLEMS = `(async () => {
  document.querySelectorAll('details').forEach(details => (details.open = true));
  const problems = [];
  // A phone zooms out from a page that is too wide, which makes the inner width larger.
  const { clientWidth: width } = document.documentElement;
  const nameOf = ({ id, value, tagName, textContent }) => id || [tagName, value, textContent.trim().slice(0, 30)].join(' ');
  const ancestors = element => (element ? [element, ...ancestors(element.parentElement)] : []);
  // A screen reader reads what is clipped.
  const isSeen = element => element.checkVisibility() && ancestors(element).every(each => getComputedStyle(each).clipPath === 'none');
  const isInside = (inner, outer) =>
    inner.left >= outer.left - 1 && inner.right <= outer.right + 1 && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
  // The nearest ancestor that scrolls or cuts off what is too long.
  const boxOf = element => ancestors(element.parentElement).find(each => getComputedStyle(each).overflowX !== 'visible');
  const checkPosition = (element, rect) => {
    const box = boxOf(element);
    const scrolls = box && getComputedStyle(box).overflowX !== 'hidden' && box.scrollWidth > box.clientWidth;
    if (!scrolls && (rect.left < 0 || rect.right > width)) problems.push(nameOf(element) + ' leaves the page');
    if (box && getComputedStyle(box).overflowX === 'hidden' && !isInside(rect, box.getBoundingClientRect())) {
      problems.push(nameOf(element) + ' is cut off');
    }
  };

  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement;
    if (!texts.currentNode.data.trim() || ['OPTION', 'SCRIPT', 'NOSCRIPT'].includes(element.tagName) || !isSeen(element)) continue;
    range.selectNodeContents(texts.currentNode);
    checkPosition(element, range.getBoundingClientRect());
    const { fontSize } = getComputedStyle(element);
    if (parseFloat(fontSize) < ${MIN_FONT}) problems.push(nameOf(element) + ' has text of ' + fontSize);
    if (element.scrollWidth > element.clientWidth && getComputedStyle(element).overflowX === 'hidden') problems.push(nameOf(element) + ' has cut text');
  }

  const controls = [...document.querySelectorAll('button, input, select, textarea, summary, #view')].filter(isSeen);
  const pen = document.createElement('canvas').getContext('2d');
  for (const control of controls) {
    const rect = control.getBoundingClientRect();
    checkPosition(control, rect);
    if (Math.min(rect.width, rect.height) < ${MIN_TARGET}) problems.push(nameOf(control) + ' is ' + rect.width + ' × ' + rect.height);
    const { font, fontSize, paddingLeft, paddingRight } = getComputedStyle(control);
    if (parseFloat(fontSize) < ${MIN_FONT}) problems.push(nameOf(control) + ' has text of ' + fontSize);
    pen.font = font;
    const isField = control.tagName === 'INPUT' && ['text', 'number'].includes(control.type);
    const contents = isField ? [control.value] : [...control.options ?? []].map(option => option.text);
    // A select has an arrow, too.
    const room = control.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - (isField ? 0 : 18);
    for (const content of contents) {
      if (pen.measureText(content).width > room) problems.push(nameOf(control) + ' has no room for ' + content);
    }
    if (control.disabled) continue;
    control.focus();
    const { left, right, top, bottom } = control.getBoundingClientRect();
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    // An invisible radio button covers its label.
    const isHit = hit && (control.contains(hit) || hit.closest('label')?.contains(control));
    if (!isHit) problems.push(nameOf(control) + ' is covered by ' + (hit ? nameOf(hit) : 'nothing') + ' when it has the focus');
  }
  document.activeElement.blur();
  scrollTo(0, 0);
  const { scrollWidth } = document.documentElement;
  if (scrollWidth > width) problems.push('the page is ' + scrollWidth + ' pixels wide');
  return [controls.length, problems];
})()`;

export async function everythingCanBeReadAndReached(page, [width]) {
  for (const [mode, fragment] of [['gray', ''], ['color', LONG], ['landscape', LONG]]) {
    await show(page, `mode=${mode}&${fragment}`);
    const [controls, problems] = await page.evaluate(PROBLEMS);
    check(
      controls > 60 && problems.length === 0,
      `everything can be read and reached at ${width} pixels in ${mode}${fragment && ' with long numbers'}`,
      `${controls} controls\n       ${problems.join('\n       ')}`,
    );
  }
}
