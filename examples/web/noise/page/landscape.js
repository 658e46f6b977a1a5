// The noise as a block of land that turns: a mesh of the heights with the lit image on it, walls at its edges, and its shadow.
import { RELIEF, SUN } from './paint.js';
import { SEA } from './palette.js';

/** The drawing: the surface, the four walls of the block, and its shadow on the table. */
const [SURFACE, WALLS, SHADOW] = [0, 1, 2];
/** How far the block reaches below its lowest ground, in widths of the block. */
const BASE = 0.04;

const VERTEX = `#version 300 es
precision highp float;
uniform highp sampler2D heights;
uniform mat4 camera;
uniform int side, part;
uniform float relief, sea, bottom;
uniform vec2 sun;
out vec2 position;
// Heights of this point and of the ground below it.
out float level, ground;
out float light;

void main() {
  int last = side - 1;
  ivec2 at = ivec2(0);
  bool isBelow = false;
  light = 1.0;
  if (part == ${SURFACE}) {
    at = ivec2(gl_VertexID % side, gl_VertexID / side);
  } else if (part == ${WALLS}) {
    // Four walls of quads, of two triangles each.
    int quad = gl_VertexID / 6;
    int corner = gl_VertexID % 6;
    int along = quad % last + (corner == 1 || corner == 2 || corner == 4 ? 1 : 0);
    isBelow = corner >= 2 && corner != 3;
    int wall = quad / last;
    at = wall == 0 ? ivec2(along, 0)
      : wall == 1 ? ivec2(last, along)
      : wall == 2 ? ivec2(last - along, last)
      : ivec2(0, last - along);
    vec2 outward = wall == 0 ? vec2(0, -1) : wall == 1 ? vec2(1, 0) : wall == 2 ? vec2(0, 1) : vec2(-1, 0);
    light = 0.78 + 0.3 * dot(outward, sun);
  }
  ground = texelFetch(heights, at, 0).r * relief;
  level = isBelow ? bottom : max(ground, sea * relief);
  position = (vec2(at) + 0.5) / float(side);
  vec2 middle = vec2(at) / float(last) - 0.5;
  if (part == ${SHADOW}) {
    middle = 1.6 * (vec2(gl_VertexID % 2, gl_VertexID / 2) - 0.5);
    position = middle;
    level = bottom;
  }
  gl_Position = camera * vec4(middle.x, level, middle.y, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
precision highp int;
uniform sampler2D colors;
uniform int part;
uniform float relief, sea;
in vec2 position;
in float level, ground;
in float light;
out vec4 color;

void main() {
  if (part == ${SURFACE}) {
    color = vec4(texture(colors, position).rgb, 1.0);
  } else if (part == ${WALLS}) {
    float water = (sea * relief - level) / 0.07;
    float earth = (ground - level) / 0.12;
    vec3 wall = level > ground
      ? mix(vec3(0.27, 0.58, 0.70), vec3(0.05, 0.20, 0.37), clamp(water, 0.0, 1.0))
      : mix(vec3(0.50, 0.40, 0.30), vec3(0.25, 0.21, 0.20), clamp(earth, 0.0, 1.0));
    color = vec4(wall * light, 1.0);
  } else {
    float distance = length(max(abs(position) - 0.5, 0.0));
    color = vec4(vec3(0.0), 0.34 * exp(-14.0 * distance) * smoothstep(0.3, 0.1, distance));
  }
}`;

export class Landscape {
  #canvas;
  #gl;
  #uniforms = {};
  #heights;
  #colors;
  #indices;
  #side = 0;
  /** The last arguments of `show`, for a context that was lost. */
  #shown = null;
  #relief = 0;
  #range = [0, 1];
  #camera = [0, 0];

  /** Throws an error if the browser has no WebGL 2. */
  constructor(canvas) {
    this.#canvas = canvas;
    const gl = canvas.getContext('webgl2', { antialias: true, preserveDrawingBuffer: true });
    if (!gl) throw new Error('This browser has no WebGL 2, which the landscape needs.');
    this.#gl = gl;
    canvas.addEventListener('webglcontextlost', event => event.preventDefault());
    canvas.addEventListener('webglcontextrestored', () => {
      this.#start();
      if (this.#shown) this.show(...this.#shown);
    });
    this.#start();
  }

  #start() {
    const gl = this.#gl;
    const program = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, VERTEX], [gl.FRAGMENT_SHADER, FRAGMENT]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    gl.useProgram(program);
    for (const name of ['heights', 'colors', 'camera', 'side', 'part', 'relief', 'sea', 'bottom', 'sun']) {
      this.#uniforms[name] = gl.getUniformLocation(program, name);
    }
    gl.uniform1i(this.#uniforms.heights, 0);
    gl.uniform1i(this.#uniforms.colors, 1);
    gl.uniform1f(this.#uniforms.sea, SEA);
    gl.uniform2f(this.#uniforms.sun, SUN[0], SUN[1]);
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.#heights = gl.createTexture();
    this.#colors = gl.createTexture();
    this.#indices = gl.createBuffer();
    this.#side = 0;
  }

  /** Takes a square image. `cells` is its width in cells of the first octave. */
  show(image, cells) {
    this.#shown = [image, cells];
    const { heights, pixels, columns: side } = image;
    const gl = this.#gl;
    const texture = (unit, name, smaller, larger) => {
      gl.activeTexture(gl.TEXTURE0 + unit);
      gl.bindTexture(gl.TEXTURE_2D, name);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, smaller);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, larger);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
      gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    };
    texture(0, this.#heights, gl.NEAREST, gl.NEAREST);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.R32F, side, side, 0, gl.RED, gl.FLOAT, heights);
    texture(1, this.#colors, gl.LINEAR_MIPMAP_LINEAR, gl.LINEAR);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, side, side, 0, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
    gl.generateMipmap(gl.TEXTURE_2D);
    if (side !== this.#side) this.#makeIndices(side);
    this.#relief = RELIEF / cells;
    // The water of a sea has its surface above the ground.
    let [low, high] = [1, SEA];
    for (const height of heights) {
      if (height < low) low = height;
      if (height > high) high = height;
    }
    this.#range = [low, high];
    this.draw();
  }

  #makeIndices(side) {
    const indices = new Uint32Array(6 * (side - 1) ** 2);
    let i = 0;
    for (let row = 0; row + 1 < side; row++) {
      for (let column = 0; column + 1 < side; column++) {
        const a = row * side + column;
        indices.set([a, a + side, a + 1, a + 1, a + side, a + side + 1], i);
        i += 6;
      }
    }
    const gl = this.#gl;
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.#indices);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW);
    this.#side = side;
  }

  /** Turns the block, in degrees. */
  turn(turn, tilt) {
    if (turn === this.#camera[0] && tilt === this.#camera[1]) return;
    this.#camera = [turn, tilt];
    this.draw();
  }

  draw() {
    if (!this.#side) return;
    const { clientWidth, clientHeight } = this.#canvas;
    const ratio = Math.min(2, devicePixelRatio);
    const [width, height] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)];
    if (!width || !height) return;
    if (this.#canvas.width !== width) this.#canvas.width = width;
    if (this.#canvas.height !== height) this.#canvas.height = height;
    const gl = this.#gl;
    const { camera, relief, side, bottom, part } = this.#uniforms;
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const [low, high] = this.#range.map(level => level * this.#relief);
    const floor = low - BASE;
    gl.uniformMatrix4fv(camera, false, cameraMatrix(...this.#camera, width / height, [floor, high]));
    gl.uniform1f(relief, this.#relief);
    gl.uniform1f(bottom, floor);
    gl.uniform1i(side, this.#side);
    gl.uniform1i(part, SURFACE);
    gl.drawElements(gl.TRIANGLES, 6 * (this.#side - 1) ** 2, gl.UNSIGNED_INT, 0);
    gl.uniform1i(part, WALLS);
    gl.drawArrays(gl.TRIANGLES, 0, 24 * (this.#side - 1));
    gl.uniform1i(part, SHADOW);
    gl.enable(gl.BLEND);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    gl.disable(gl.BLEND);
  }

  png() {
    this.draw();
    return new Promise(resolve => this.#canvas.toBlob(resolve, 'image/png'));
  }
}

/** Looks at a block of side 1 between two heights, from as near as it can be seen as a whole, however it is turned. */
function cameraMatrix(turn, tilt, aspect, [low, high]) {
  const [a, b] = [turn, tilt].map(degrees => (degrees * Math.PI) / 180);
  const [ca, sa, cb, sb] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
  const focal = 2.6;
  // The circle around its corners, and half of its height.
  const [radius, half, center] = [Math.SQRT1_2, (high - low) / 2, (high + low) / 2];
  let distance = 1;
  let top, bottom, side;
  do {
    distance += 0.02;
    top = (focal * (radius * sb + half * cb)) / (distance + radius * cb);
    bottom = (focal * (radius * sb + half * cb)) / (distance - radius * cb);
    side = (focal * radius) / aspect / (distance - 0.5 * radius * cb);
  } while (bottom < 0 || (top + bottom) / 2 > 0.93 || side > 0.95);
  const [near, far] = [0.05, 2 * distance + 2];
  const [scale, shift] = [(far + near) / (near - far), (2 * far * near) / (near - far)];
  // Right, up, and back toward the eye.
  const right = [ca, 0, -sa];
  const up = [-sb * sa, cb, -sb * ca];
  const back = [cb * sa, sb, cb * ca];
  // The nearest corner is further from the middle than the farthest one: the image is moved up by half of that.
  const raise = (bottom - top) / 2;
  const rows = [
    right.map(x => (x * focal) / aspect),
    up.map((x, i) => x * focal - raise * back[i]),
    back.map(x => x * scale),
    back.map(x => -x),
  ];
  const away = back[1] * center + distance;
  const offsets = [0, raise * away - focal * up[1] * center, shift - scale * away, away];
  return new Float32Array([0, 1, 2].flatMap(axis => rows.map(row => row[axis])).concat(offsets));
}
