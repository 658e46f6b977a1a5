// All controls of the page. They show a state and report what the user does.
import { control, presetGallery } from './controls.js';
import { COLORS, GRAYS } from './palette.js';
import { LIMITS, MOTIONS, changes, presetOf, rounded } from './state.js';

const by = id => document.getElementById(id);

export class Panel {
  #description;
  #shows = [];
  /** The canvas of each preset's thumbnail. */
  thumbnails;

  /** `act` has a function for each thing that a control can do. */
  constructor(description, act) {
    this.#description = description;
    // The page has no fourth axis, and a third one only while the noise evolves.
    for (const param of description.params.filter(({ name }) => !name.endsWith('_w'))) {
      const parent = param.detail ? 'details' : 'params';
      const element = this.#add(parent, param, state => state.values[param.name], text => act.setParam(param.name, text));
      if (param.name.endsWith('_z')) this.#shows.push(state => (element.hidden = state.motion !== 'evolve'));
    }
    this.#addPositions(act);
    this.thumbnails = presetGallery(by('presets'), description.presets, act.setPreset);
    by('presets').addEventListener('focusin', ({ target }) => reveal(target.parentElement));
    for (const radio of document.querySelectorAll('[name=mode]')) radio.addEventListener('input', () => act.setMode(radio.value));
    by('seed').addEventListener('input', ({ target }) => act.setSeed(target.value));
    for (const [id, action] of Object.entries({
      dice: act.rollSeed, reset: act.reset, nodes: act.toggleNodes, play: act.play, png: act.savePng,
      'copy-ron': act.copyFile, 'copy-link': act.copyLink,
    })) {
      by(id).addEventListener('click', action);
    }
    followHelp();
  }

  #add(parent, param, get, set) {
    const { element, show } = control(param, set);
    by(parent).append(element);
    this.#shows.push(state => show(get(state)));
    return element;
  }

  #addPositions(act) {
    const add = (name, title, unit, help, kind = 'position', scale = 'linear') => {
      const [min, max] = LIMITS[name];
      const param = { name, title, unit, help, kind, scale, min, max, allowed: `${min} to ${max} ${unit}` };
      const shown = kind === 'count' ? number => String(Math.round(number)) : rounded;
      return this.#add('positions', param, state => shown(state[name]), text => act.setPosition(name, Number(text)));
    };
    add('x', 'X', 'm', 'The middle of the image, from left to right.');
    add('y', 'Y', 'm', 'The middle of the image, from top to bottom.');
    add('zoom', 'Zoom', 'px/m', 'Pixels for each metre of the noise.', 'float', 'logarithmic');
    const angles = [
      add('turn', 'Turn', '°', 'How far the landscape is turned.', 'count'),
      add('tilt', 'Tilt', '°', 'The angle of the view: near 0 from the side, near 90 from above.', 'count'),
    ];
    this.#add('positions', {
      name: 'motion', title: 'Motion', kind: 'choice', choices: MOTIONS,
      help: 'What Play does. Drift moves the image along x. Evolve moves it through a noise with a third coordinate, which takes '
        + 'longer to compute. Flow turns the gradients of the lattices Table and Grid.',
    }, state => state.motion, act.setMotion);
    const time = add('z', 'Time', 'm', 'The third coordinate of the noise, which Play increases.');
    this.#shows.push(state => {
      time.hidden = state.motion !== 'evolve';
      for (const angle of angles) angle.hidden = state.mode !== 'landscape';
    });
  }

  show(state) {
    for (const show of this.#shows) show(state);
    const isLandscape = state.mode === 'landscape';
    const preset = presetOf(state, this.#description);
    const isChanged = changes(state, this.#description).length > 0;
    const radio = document.querySelector(`[name=preset][value=${state.preset}]`);
    if (!radio.checked) {
      radio.checked = true;
      reveal(radio.parentElement);
    }
    by('source').textContent = `${preset.title} · ${preset.source}${isChanged ? ', changed' : ''}`;
    by('reset').disabled = !isChanged;
    if (document.activeElement !== by('seed')) by('seed').value = state.seed;
    document.querySelector(`[name=mode][value=${state.mode}]`).checked = true;
    by('nodes').setAttribute('aria-pressed', state.nodes);
    by('nodes').disabled = isLandscape || state.motion === 'evolve';
    for (const id of ['map', 'overlay']) by(id).hidden = isLandscape;
    by('land').hidden = !isLandscape;
    by('keys').textContent = isLandscape
      ? 'Drag or arrow keys: turn. With Shift, or two fingers: move. Wheel, pinch, + or −: zoom. Space: play. Home: start.'
      : 'Drag or arrow keys: move. Wheel, pinch, + or −: zoom. Space: play. Home: start.';
    by('view').setAttribute('aria-label', `Image of the noise: ${preset.title}, seed ${state.seed}, ${state.mode}`);
    showRamp(state.mode === 'gray' ? GRAYS : COLORS);
  }

  showPlaying(isPlaying) {
    by('play').classList.toggle('on', isPlaying);
    by('play').querySelector('span').textContent = isPlaying ? 'Pause' : 'Play';
    by('play').querySelector('path').setAttribute('d', isPlaying ? 'M3 2h4v12H3zM9 2h4v12H9z' : 'M4 2l10 6-10 6z');
  }

  showImage({ about, levels, columns, rows, computeTime }) {
    by('waiting').hidden = true;
    by('ron').value = about.ron;
    [by('low').textContent, by('high').textContent] = levels.map(level => `${short(level, 3)} m`);
    by('readout').textContent = `${columns} × ${rows} samples in ${computeTime.toFixed(1)} ms`;
  }

  showValue(x, y, value) {
    by('readout').textContent = `x ${rounded(x)} m, y ${rounded(y)} m: ${short(value, 4)} m`;
  }
}

/** A number with so many digits, and a minus sign instead of a hyphen. */
const short = (number, digits) => String(Number(number.toPrecision(digits))).replace('-', '−');

let messageTimer;

/** Shows a sentence for a few seconds. A screen reader reads it out. */
export function message(text) {
  const box = by('message');
  box.textContent = text;
  box.classList.add('visible');
  clearTimeout(messageTimer);
  messageTimer = setTimeout(() => box.classList.remove('visible'), 4000);
}

/** Scrolls the gallery, and not the page, to a preset. */
function reveal(label) {
  const gallery = by('presets');
  gallery.scrollLeft = label.offsetLeft - (gallery.clientWidth - label.offsetWidth) / 2;
}

/** Draws the shades of the legend, from the lowest to the highest value. */
function showRamp(table) {
  const ramp = by('ramp');
  const pixels = new ImageData(ramp.width, 1);
  for (let i = 0; i < ramp.width; i++) {
    const color = 3 * Math.floor((i * (table.length / 3 - 1)) / (ramp.width - 1));
    pixels.data.set([table[color], table[color + 1], table[color + 2], 255], 4 * i);
  }
  ramp.getContext('2d').putImageData(pixels, 0, 0);
}

/** Shows the help of the control under the pointer, or of the focused one. */
function followHelp() {
  const bar = by('helpbar');
  const helpOf = target => target?.closest?.('.param, .seed')?.querySelector('.help')?.textContent;
  const follow = ({ target }) => (bar.textContent = helpOf(target) ?? helpOf(document.activeElement) ?? bar.textContent);
  for (const name of ['pointerover', 'focusin']) document.querySelector('.panel').addEventListener(name, follow);
}
