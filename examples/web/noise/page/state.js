// Everything that the user can set, and its text in the address of the page.

const START = {
  preset: 'mixed', seed: '42', mode: 'landscape', nodes: false, x: 0, y: 0, z: 0, zoom: 1, motion: 'drift', turn: 30, tilt: 32,
};

/** As far as a tick of 1/1024 unit is exact in a number with 53 bits, in powers of ten. */
const FAR = 1e12;
/** Ranges of what is not a parameter of the noise. */
export const LIMITS = { x: [-FAR, FAR], y: [-FAR, FAR], z: [-FAR, FAR], zoom: [1 / 16, 16], turn: [-180, 180], tilt: [8, 88] };
export const MODES = ['gray', 'color', 'landscape'];
export const MOTIONS = ['drift', 'evolve', 'flow'];

/** Reads the state from an address. Adds a sentence to `problems` for each wrong part, which has no effect. */
export function read(fragment, description, problems = []) {
  const asked = new URLSearchParams(fragment);
  const state = { ...START };
  const choose = (name, names) => {
    if (!asked.has(name)) return;
    if (names.includes(asked.get(name))) state[name] = asked.get(name);
    else problems.push(`There is no ${name} “${asked.get(name)}”.`);
  };
  choose('preset', description.presets.map(preset => preset.name));
  choose('mode', MODES);
  choose('motion', MOTIONS);
  for (const [name, [min, max]] of Object.entries(LIMITS)) {
    if (!asked.has(name)) continue;
    const number = Number(asked.get(name) || NaN);
    if (number >= min && number <= max) state[name] = number;
    else problems.push(`${name} is ${asked.get(name)}, allowed: ${min} to ${max}.`);
  }
  state.nodes = asked.get('nodes') === 'on';
  if (isSeed(asked.get('seed') ?? state.seed)) state.seed = asked.get('seed') ?? state.seed;
  else problems.push(`The seed is ${asked.get('seed')}, allowed: 0 to 2^64 − 1.`);
  state.values = { ...presetOf(state, description).values };
  for (const param of description.params) {
    const text = asked.get(param.name);
    if (text === null) continue;
    if (isAllowed(param, text)) state.values[param.name] = text;
    else problems.push(`${param.name} is ${text}, allowed: ${param.choices.length ? param.choices.join(', ') : param.allowed}.`);
  }
  return state;
}

/** Whether `text` is a whole number of 64 bits. */
export const isSeed = text => /^\d{1,20}$/.test(text) && BigInt(text) < 2n ** 64n;

function isAllowed({ kind, choices, min, max }, text) {
  if (kind === 'choice') return choices.includes(text);
  if (kind === 'switch') return text === 'true' || text === 'false';
  const number = Number(text || NaN);
  return number >= min && number <= max && (kind === 'float' || /^\d+$/.test(text));
}

/** The address that `read` reads: only what differs from the start and from the preset. */
export function write(state, description) {
  const fragment = new URLSearchParams();
  for (const name of Object.keys(START)) {
    const value = state[name];
    if (value !== START[name]) fragment.set(name, typeof value === 'number' ? rounded(value) : value === true ? 'on' : value);
  }
  for (const name of changes(state, description)) fragment.set(name, state.values[name]);
  return fragment.toString();
}

/** The names of parameters that differ from the preset. */
export function changes(state, description) {
  const { values } = presetOf(state, description);
  return Object.keys(values).filter(name => !isSame(state.values[name], values[name]));
}

export function presetOf(state, description) {
  return description.presets.find(preset => preset.name === state.preset);
}

/** The request for the noise of a state. */
export function settingsOf({ seed, values }) {
  return [['seed', seed], ...Object.entries(values)].map(([name, value]) => `${name}=${value}`).join('\n');
}

/** `1.0` in a file is `1` in the page. */
const isSame = (a, b) => a === b || (a !== '' && Number(a) === Number(b));

/** Short, and still exact to a thousandth. */
export const rounded = number => String(Number(number.toFixed(Math.abs(number) < 1 ? 5 : 3)));
