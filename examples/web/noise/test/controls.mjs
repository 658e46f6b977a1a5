// Tests of the controls: keys, names, addresses.
import { MESSAGE, REQUEST, check, pixelsOf, settle, show } from './check.mjs';

const OPEN_ALL = `document.querySelectorAll('details').forEach(details => (details.open = true))`;

/** Settings in which each parameter has an effect. */
const ALL_MATTER = 'lattice=Bit&frequency=0.02&sum=Raw&warp_strength=30&warp_frequency=0.02';
/** Settings for parameters that need others. */
const OTHERS = {
  'param-period_z': `${ALL_MATTER}&motion=evolve&z=33`,
  'param-stretch_z': `${ALL_MATTER}&motion=evolve&z=33`,
  'param-flow': 'lattice=Table',
};
/** The values of the image as text. */
const VALUES = `import('./main.js').then(({ shown: { image } }) => image.values.subarray(0, 5000).join())`;

export async function anArrowKeyOnEachSliderChangesTheImage(page) {
  await page.evaluate(OPEN_ALL);
  const all = await page.evaluate(`[...document.querySelectorAll('input[type=range]')].map(slider => slider.id)`);
  check(all.length >= 15, 'there is a slider for each number', `${all.length}`);
  // The lowest maximum frequency leaves no octave, so that nothing else would have an effect after it.
  const last = ['param-max_frequency', 'param-turn', 'param-tilt'];
  const others = all.filter(id => id in OTHERS);
  const usual = all.filter(id => !last.includes(id) && !others.includes(id));
  for (const id of [...others, ...usual, ...last]) {
    const isCamera = id === 'param-turn' || id === 'param-tilt';
    if (others.includes(id)) await show(page, `mode=gray&${OTHERS[id]}`);
    if (id === usual[0]) await show(page, `mode=gray&${ALL_MATTER}`);
    if (id === 'param-turn') await show(page, 'mode=landscape');
    const state = async () => ({
      image: await page.evaluate(isCamera ? pixelsOf('land') : VALUES),
      said: await page.evaluate(`document.getElementById('${id}').getAttribute('aria-valuetext').split(' ')[0]`),
      exact: await page.evaluate(`document.getElementById('${id}-exact').value`),
    });
    const before = await state();
    await page.evaluate(`document.getElementById('${id}').focus()`);
    if (isCamera) await page.press('ArrowRight');
    else await settle(page, () => page.press('ArrowRight'));
    const after = await state();
    check(
      Number(after.said) > Number(before.said) && after.said === after.exact && after.image !== before.image,
      `an arrow key on ${id} changes its value and the image`,
      `${before.said} became ${after.said}, in the field ${after.exact}; the image ${after.image === before.image ? 'stayed' : 'changed'}`,
    );
  }
  await page.until(`location.hash.includes('tilt=33')`);
}

/** Every slider moves by one step, from every step to the next. */
export async function noSliderIsStuck(page) {
  const stuck = await page.evaluate(`(async () => {
    const [{ scaleOf }, { params }] = [await import('./controls.js'), (await import('./main.js')).description];
    return params.filter(({ kind }) => kind === 'float' || kind === 'count').flatMap(param => {
      const { steps, value, step } = scaleOf(param);
      return Array.from({ length: steps + 1 }, (_, i) => [param.name, i, step(value(i))]).filter(([, i, back]) => Math.round(back) !== i);
    });
  })()`);
  check(stuck.length === 0, 'no slider is stuck at any step', JSON.stringify(stuck.slice(0, 5)));
}

export async function keysMoveAndTurnTheImage(page) {
  const { view: before } = await show(page, 'mode=color');
  await page.evaluate(`document.getElementById('view').focus()`);
  await settle(page, () => page.press('ArrowRight'));
  const { view: after } = await page.evaluate(REQUEST);
  check(after.x === before.x + 24 && after.y === before.y, 'an arrow key in the image moves it', `from ${before.x} to ${after.x}`);

  await show(page, 'mode=landscape');
  await page.evaluate(`document.getElementById('view').focus()`);
  const turned = await page.evaluate(pixelsOf('land'));
  await page.press('ArrowRight');
  check(await page.evaluate(pixelsOf('land')) !== turned, 'an arrow key turns the landscape');
  const same = await page.evaluate(`new Set(document.getElementById('land').toDataURL()).size`);
  check(turned.length > 20_000 && same > 30, 'the landscape is drawn', `${turned.length} characters`);
}

export async function fingersMoveAndZoomTheImage(page) {
  const { view: before } = await show(page, 'mode=color');
  const touch = (type, ...positions) => page.send('Input.dispatchTouchEvent', { type, touchPoints: positions.map(([x, y], id) => ({ x, y, id })) });
  const [x, y] = await page.evaluate(`(({ left, top }) => [left, top])(view.getBoundingClientRect())`);
  await settle(page, async () => {
    await touch('touchStart', [x + 100, y + 100]);
    await touch('touchMove', [x + 140, y + 90]);
    await touch('touchEnd');
  });
  const { view: moved } = await page.evaluate(REQUEST);
  check(moved.x === before.x - 40 && moved.y === before.y + 10, 'a finger moves the image', `by ${moved.x - before.x}, ${moved.y - before.y}`);
  await settle(page, async () => {
    await touch('touchStart', [x + 100, y + 100], [x + 200, y + 100]);
    await touch('touchMove', [x + 50, y + 100], [x + 250, y + 100]);
    await touch('touchEnd');
  });
  // An image of the movement before may have been the last one still to come.
  await page.until(`${REQUEST}.then(({ view }) => view.stepTicks !== ${before.stepTicks})`);
  const { view: zoomed } = await page.evaluate(REQUEST);
  check(zoomed.stepTicks === before.stepTicks / 2, 'two fingers zoom it', `from ${before.stepTicks} to ${zoomed.stepTicks} ticks`);
}

export async function theSettingsFileIsShown(page) {
  await show(page, 'seed=5');
  const file = await page.evaluate(`document.getElementById('ron').value`);
  check(file.includes('seed: 5,') && file.includes('octaves: 8,'), 'the settings file is there', file);
}

export async function everyControlHasAName(page) {
  await show(page, 'mode=landscape&motion=evolve');
  await page.evaluate(OPEN_ALL);
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

export async function wrongAddressesAreExplained(page) {
  await show(page, 'mode=color&octaves=99&shape=Rigid&seed=-3&zoom=100');
  const told = await page.evaluate(MESSAGE);
  check(['octaves is 99', 'shape is Rigid', 'seed is -3', 'zoom is 100'].every(part => told.includes(part)), 'a wrong address is explained', told);
  check(await page.evaluate(`document.getElementById('param-octaves-exact').value`) === '8', 'and its wrong parts have no effect');
}
