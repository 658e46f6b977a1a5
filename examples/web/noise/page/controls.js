// Controls for parameters, built from what the crate says about them.

const STEPS = 200;

/** A value from 0 to `STEPS` on a slider, and back. */
function scaleOf({ kind, min, max, scale }) {
  const isWhole = kind === 'count';
  const round = value => (isWhole ? Math.round(value) : Number(value.toPrecision(3)));
  const clamped = value => Math.min(max, Math.max(min, round(value)));
  if (isWhole && max - min <= 2 * STEPS) {
    return { steps: max - min, value: step => min + step, step: value => value - min };
  }
  // Evenly by the logarithm, by the value, or, in a wide range around or above zero, by the cube root: fine near zero.
  const [to, from] = scale === 'logarithmic' ? [Math.log, Math.exp] : max - min <= 20 ? [x => x, x => x] : [Math.cbrt, x => x ** 3];
  const [low, high] = [to(min), to(max)];
  return {
    steps: STEPS,
    value: step => clamped(from(low + ((high - low) * step) / STEPS)),
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
 * The controls of a parameter. `onInput` gets its new text. The result has `show`, which takes a text, and the element.
 */
export function control(param, onInput) {
  const make = { choice, switch: toggle, float: number, count: number, place }[param.kind];
  const id = `param-${param.name}`;
  const { controls, show } = make(param, id, onInput);
  const range = param.kind === 'float' || param.kind === 'count' ? ` Range: ${param.allowed}.` : '';
  const help = element('p', { class: 'help', id: `${id}-help` }, `${param.help}${range}`);
  return { element: element('div', { class: `param ${param.kind}` }, ...controls, help), show };
}

function choice(param, id, onInput) {
  const select = element('select', { id, 'aria-describedby': `${id}-help` });
  select.append(...param.choices.map(name => element('option', { value: name }, title(name))));
  select.addEventListener('input', () => onInput(select.value));
  const label = element('label', { for: id }, param.title ?? title(param.name));
  return { controls: [label, select], show: text => (select.value = text) };
}

function toggle(param, id, onInput) {
  const box = element('input', { id, type: 'checkbox', 'aria-describedby': `${id}-help` });
  box.addEventListener('input', () => onInput(String(box.checked)));
  const label = element('label', { for: id }, title(param.name));
  return { controls: [label, box], show: text => (box.checked = text === 'true') };
}

/** A number without an end, which has no slider. */
function place(param, id, onInput) {
  const { min, max } = param;
  const exact = element('input', { id, type: 'number', step: 'any', min, max, 'aria-describedby': `${id}-help` });
  exact.addEventListener('input', () => exact.value !== '' && exact.validity.valid && onInput(exact.value));
  const show = text => document.activeElement === exact || (exact.value = text);
  const unit = element('span', { class: 'unit' }, param.unit);
  return { controls: [element('label', { for: id }, param.title), element('span', { class: 'exact' }, exact, unit)], show };
}

/** A slider and an exact number. */
function number(param, id, onInput) {
  const scale = scaleOf(param);
  const name = param.title ?? title(param.name);
  const unit = param.unit ? element('span', { class: 'unit' }, param.unit) : '';
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
  // What was typed and can't be used gives way to the value in use.
  exact.addEventListener('blur', () => {
    if (exact.value === '' || !exact.validity.valid) exact.value = slider.getAttribute('aria-valuetext').split(' ')[0];
  });
  return { controls: [element('label', { for: id }, name), element('span', { class: 'exact' }, exact, unit), slider], show };
}

/** The presets as radio buttons with pictures. The result has the canvas of each, by name. */
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
