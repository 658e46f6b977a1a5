// Controls for parameters, made from the crate's descriptions of them.

/** Steps of a slider for a number that is not a count. */
const STEPS = 200;

/** From steps of a slider to values of a parameter, and back. */
export function scaleOf({ kind, min, max, scale }) {
  if (kind === 'count') return { steps: max - min, value: step => min + step, step: value => value - min };
  // Evenly by the logarithm or by the value. In a wide range around or above zero by the cube root, which is fine near zero.
  const [to, from] = scale === 'logarithmic' ? [Math.log, Math.exp] : max - min <= 20 ? [x => x, x => x] : [Math.cbrt, x => x ** 3];
  const [low, high] = [to(min), to(max)];
  const short = value => Math.min(max, Math.max(min, Number(value.toPrecision(3))));
  return {
    steps: STEPS,
    value: step => short(from(low + ((high - low) * step) / STEPS)),
    step: value => ((to(value) - low) / (high - low)) * STEPS,
  };
}

const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== false) made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
};

/** `warp_frequency` as a label: `Warp frequency`. */
export const title = name => name[0].toUpperCase() + name.slice(1).replaceAll('_', ' ');

/**
 * Makes the controls of a parameter. `onInput(text)` is called with each new value. Returns the element, and `show(text)` to show
 * a value.
 */
export function control(param, onInput) {
  const make = { choice, switch: toggle, float: number, count: number, position }[param.kind];
  const id = `param-${param.name}`;
  const { controls, show } = make(param, id, onInput);
  const range = param.kind === 'float' || param.kind === 'count' ? ` Range: ${param.allowed}.` : '';
  const help = element('p', { class: 'help', id: `${id}-help` }, `${param.help}${range}`);
  return { element: element('div', { class: `param ${param.kind}` }, ...controls, help), show };
}

/** The label of the control `id`, and the unit of its parameter. */
function nameOf(param, id) {
  const label = element('label', { for: id }, param.title ?? title(param.name));
  return element('span', {}, label, param.unit ? element('span', { class: 'unit' }, param.unit) : '');
}

function choice(param, id, onInput) {
  const select = element('select', { id, 'aria-describedby': `${id}-help` });
  select.append(...param.choices.map(name => element('option', { value: name }, title(name))));
  select.addEventListener('input', () => onInput(select.value));
  return { controls: [nameOf(param, id), select], show: text => (select.value = text) };
}

function toggle(param, id, onInput) {
  const box = element('input', { id, type: 'checkbox', 'aria-describedby': `${id}-help` });
  box.addEventListener('input', () => onInput(String(box.checked)));
  return { controls: [nameOf(param, id), box], show: text => (box.checked = text === 'true') };
}

/** A number in a range too wide for a slider. */
function position(param, id, onInput) {
  const { min, max } = param;
  const exact = element('input', { id, type: 'number', step: 'any', min, max, 'aria-describedby': `${id}-help` });
  exact.addEventListener('input', () => exact.value !== '' && exact.validity.valid && onInput(exact.value));
  const show = text => document.activeElement === exact || (exact.value = text);
  return { controls: [nameOf(param, id), exact], show };
}

/** A slider and an exact number. */
function number(param, id, onInput) {
  const scale = scaleOf(param);
  const name = param.title ?? title(param.name);
  const exact = element('input', {
    id: `${id}-exact`, type: 'number', min: param.min, max: param.max, step: param.kind === 'count' ? 1 : 'any',
    'aria-label': `${name}, exact value`, 'aria-describedby': `${id}-help`,
  });
  const slider = element('input', { id, type: 'range', min: 0, max: scale.steps, step: 1, 'aria-describedby': `${id}-help` });
  const say = text => slider.setAttribute('aria-valuetext', param.unit ? `${text} ${param.unit}` : text);
  slider.addEventListener('input', () => {
    const text = String(scale.value(Number(slider.value)));
    exact.value = text;
    say(text);
    onInput(text);
  });
  exact.addEventListener('input', () => {
    // While a number is being typed, it may be out of range or no number at all.
    if (exact.value === '' || !exact.validity.valid) return;
    slider.value = scale.step(Number(exact.value));
    say(exact.value);
    onInput(exact.value);
  });
  const show = text => {
    const value = Number(text);
    if (document.activeElement !== exact) exact.value = String(value);
    slider.value = scale.step(value);
    say(String(value));
  };
  // Text that can't be used gives way to the value in use.
  exact.addEventListener('blur', () => {
    if (exact.value === '' || !exact.validity.valid) exact.value = slider.getAttribute('aria-valuetext').split(' ')[0];
  });
  return { controls: [nameOf(param, id), exact, slider], show };
}

/** Adds the presets as radio buttons with images. Returns the canvas of each, by name. */
export function presetGallery(container, presets, onInput) {
  const canvases = new Map();
  for (const preset of presets) {
    const canvas = element('canvas', { width: 72, height: 72, 'aria-hidden': 'true' });
    const radio = element('input', { type: 'radio', name: 'preset', value: preset.name, 'aria-label': preset.title });
    radio.addEventListener('input', () => onInput(preset.name));
    container.append(element('label', { title: preset.source }, radio, canvas, element('span', {}, preset.title)));
    canvases.set(preset.name, canvas);
  }
  return canvases;
}
