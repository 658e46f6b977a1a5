// The colors of heights from 0, the lowest, to 1, the highest: sea, shore, grass, forest, rock and snow.

/** The height of the shore. */
export const SEA = 0.44;

const STOPS = [
  [0, 0x0a2140], [0.18, 0x103a68], [0.34, 0x1f6a9c], [0.42, 0x4fa3bd], [SEA, 0x9fd3cf],
  [SEA + 0.004, 0xe2d3a2], [0.475, 0xd3cb8c], [0.52, 0x9dbb68], [0.61, 0x5b9450], [0.71, 0x3f7345],
  [0.79, 0x6d6a4d], [0.86, 0x8a7c6c], [0.92, 0xb5aea6], [0.96, 0xf2f4f6], [1, 0xffffff],
];
const SIZE = 1024;

/** Red, green and blue of `SIZE` heights. */
export const COLORS = new Uint8ClampedArray(3 * SIZE);
/** The same for the shades of gray. */
export const GRAYS = new Uint8ClampedArray(3 * SIZE);

for (let i = 0; i < SIZE; i++) {
  const t = i / (SIZE - 1);
  const next = Math.max(1, STOPS.findIndex(([at]) => at >= t));
  const [[from, a], [to, b]] = [STOPS[next - 1], STOPS[next]];
  const part = Math.min(1, Math.max(0, (t - from) / (to - from)));
  for (let channel = 0; channel < 3; channel++) {
    const of = color => (color >> (16 - 8 * channel)) & 255;
    COLORS[3 * i + channel] = of(a) + (of(b) - of(a)) * part;
    GRAYS[3 * i + channel] = 10 + 238 * t;
  }
}

/** The index of the color of height `t` in these tables. */
export const indexOf = t => 3 * (t <= 0 ? 0 : t >= 1 ? SIZE - 1 : (t * (SIZE - 1) + 0.5) | 0);
