// Paints values: in shades of gray, as a map with shaded relief, or as the lit ground of the landscape.
import { COLORS, GRAYS, SEA, indexOf } from './palette.js';

/** The height of the highest ground above the lowest, in cells of the first octave. */
export const RELIEF = 0.5;
/** The direction to the sun: right, down the image, up. On a map it is at the upper left, in the landscape at the left. */
const MAP_SUN = normalized([-0.62, -0.5, 0.6]);
export const SUN = normalized([-0.78, 0.22, 0.6]);

function normalized(v) {
  const length = Math.hypot(...v);
  return v.map(x => x / length);
}

/**
 * Paints `values`. `cell` is the width of a cell of the first octave in samples, so that the same ground is lit in the same way
 * at any resolution.
 */
export function paint(mode, values, columns, rows, [low, high], cell) {
  const heights = Float32Array.from(values, value => Math.min(1, Math.max(0, (value - low) / (high - low))));
  const pixels = new Uint8ClampedArray(4 * values.length);
  if (mode === 'gray') {
    gray(heights, pixels);
  } else if (mode === 'color') {
    shaded(heights, pixels, columns, rows, 0.45 * RELIEF * cell);
  } else {
    lit(heights, pixels, columns, rows, RELIEF * cell);
  }
  return { heights, pixels };
}

function gray(heights, pixels) {
  for (let i = 0; i < heights.length; i++) {
    const shade = GRAYS[indexOf(heights[i])];
    put(pixels, i, shade, shade, shade);
  }
}

/** A map: the relief is lit from the upper left, below the sea half as much. */
function shaded(heights, pixels, columns, rows, relief) {
  for (let y = 0, i = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++, i++) {
      const height = heights[i];
      const [dx, dy] = slope(heights, columns, rows, x, y, i);
      const strength = height < SEA ? 0.35 * relief : relief;
      const [nx, ny] = [-dx * strength, -dy * strength];
      const light = 0.32 + 1.12 * Math.max(0, (nx * MAP_SUN[0] + ny * MAP_SUN[1] + MAP_SUN[2]) / Math.sqrt(nx * nx + ny * ny + 1));
      const color = indexOf(height);
      put(pixels, i, COLORS[color] * light, COLORS[color + 1] * light, COLORS[color + 2] * light);
    }
  }
}

/** The ground from above in the sun, with the shadows of hills, rock where it is steep, and a flat sea. */
function lit(heights, pixels, columns, rows, relief) {
  const ground = heights.map(height => Math.max(height, SEA));
  // A shadow is looked for in steps that grow with the distance.
  const climb = SUN[2] / Math.hypot(SUN[0], SUN[1]) / relief;
  const [towardX, towardY] = normalized([SUN[0], SUN[1]]);
  for (let y = 0, i = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++, i++) {
      const height = heights[i];
      const isSea = height <= SEA;
      const [dx, dy] = slope(ground, columns, rows, x, y, i);
      const [nx, ny] = [-dx * relief, -dy * relief];
      const up = 1 / Math.sqrt(nx * nx + ny * ny + 1);
      let sun = 1;
      for (let distance = 1.5; distance < 90; distance *= 1.28) {
        const [sx, sy] = [(x + towardX * distance) | 0, (y + towardY * distance) | 0];
        if (sx < 0 || sy < 0 || sx >= columns || sy >= rows) break;
        const above = ground[sy * columns + sx] - ground[i] - climb * distance;
        // The edge of a shadow is soft, the softer the further its hill.
        sun = Math.min(sun, 1 - (above * relief) / (0.6 + 0.05 * distance));
        if (sun <= 0) break;
      }
      const facing = Math.max(0, (nx * SUN[0] + ny * SUN[1] + SUN[2]) * up) * Math.max(0, sun);
      const [red, green, blue] = [0.5 + 0.98 * facing, 0.55 + 0.88 * facing, 0.64 + 0.74 * facing];
      const color = indexOf(height);
      let [r, g, b] = [COLORS[color], COLORS[color + 1], COLORS[color + 2]];
      if (!isSea) {
        const rock = Math.min(1, Math.max(0, (0.74 - up) / 0.26)) * 0.8;
        r += (116 - r) * rock;
        g += (106 - g) * rock;
        b += (97 - b) * rock;
      }
      put(pixels, i, r * red, g * green, b * blue);
    }
  }
}

/** How much the heights rise from sample to sample, right and down. */
function slope(heights, columns, rows, x, y, i) {
  const [left, right] = [x > 0 ? i - 1 : i, x + 1 < columns ? i + 1 : i];
  const [above, below] = [y > 0 ? i - columns : i, y + 1 < rows ? i + columns : i];
  return [
    (heights[right] - heights[left]) / Math.max(1, right - left),
    (heights[below] - heights[above]) / Math.max(1, (below - above) / columns),
  ];
}

function put(pixels, i, red, green, blue) {
  pixels[4 * i] = red;
  pixels[4 * i + 1] = green;
  pixels[4 * i + 2] = blue;
  pixels[4 * i + 3] = 255;
}
