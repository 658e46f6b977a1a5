// The ground as a block that turns: a mesh of the heights, under the lit picture of it.
import { RELIEF } from './paint.js';
import { SEA } from './palette.js';

const VERTEX = `#version 300 es
precision highp float;
uniform highp sampler2D heights;
uniform mat4 camera;
uniform int side;
uniform float relief, sea, bottom;
uniform bool wall;
out vec2 place;
out float depth;

float heightAt(ivec2 at) {
  return max(texelFetch(heights, at, 0).r, sea) * relief;
}

void main() {
  int last = side - 1;
  ivec2 at;
  float below = 0.0;
  if (wall) {
    // Four walls of quads, of two triangles each.
    int quad = gl_VertexID / 6;
    int corner = gl_VertexID % 6;
    int along = quad % last + (corner == 1 || corner == 2 || corner == 4 ? 1 : 0);
    below = corner >= 2 && corner != 3 ? 1.0 : 0.0;
    int which = quad / last;
    at = which == 0 ? ivec2(along, 0)
      : which == 1 ? ivec2(last, along)
      : which == 2 ? ivec2(last - along, last)
      : ivec2(0, last - along);
  } else {
    at = ivec2(gl_VertexID % side, gl_VertexID / side);
  }
  float height = heightAt(at);
  depth = below;
  place = (vec2(at) + 0.5) / float(side);
  vec2 ground = vec2(at) / float(last) - 0.5;
  gl_Position = camera * vec4(ground.x, mix(height, bottom, below), ground.y, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
uniform sampler2D colors;
uniform bool wall;
in vec2 place;
in float depth;
out vec4 color;

void main() {
  vec3 ground = texture(colors, place).rgb;
  // Earth below the edge of the ground, darker with the depth.
  color = vec4(wall ? mix(mix(ground, vec3(0.36, 0.31, 0.27), 0.8), vec3(0.17, 0.15, 0.15), depth) : ground, 1.0);
}`;

export class Landscape {
  #canvas;
  #gl;
  #uniforms = {};
  #heights;
  #colors;
  #indices;
  #side = 0;
  /** What `show` got last, for a context that was lost. */
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
    for (const name of ['heights', 'colors', 'camera', 'side', 'relief', 'sea', 'bottom', 'wall']) {
      this.#uniforms[name] = gl.getUniformLocation(program, name);
    }
    gl.uniform1i(this.#uniforms.heights, 0);
    gl.uniform1i(this.#uniforms.colors, 1);
    gl.uniform1f(this.#uniforms.sea, SEA);
    gl.enable(gl.DEPTH_TEST);
    this.#heights = gl.createTexture();
    this.#colors = gl.createTexture();
    this.#indices = gl.createBuffer();
    this.#side = 0;
  }

  /** Takes a square picture. `cells` is its width in cells of the first octave. */
  show(picture, cells) {
    this.#shown = [picture, cells];
    const { heights, pixels, columns: side } = picture;
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
    let [low, high] = [1, SEA];
    for (const height of heights) {
      if (height < low) low = height;
      if (height > high) high = height;
    }
    this.#range = [Math.max(low, SEA), high];
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
    const { camera, relief, side, bottom, wall } = this.#uniforms;
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const [low, high] = this.#range.map(level => level * this.#relief);
    const floor = low - 0.05;
    gl.uniformMatrix4fv(camera, false, cameraMatrix(...this.#camera, width / height, [floor, high]));
    gl.uniform1f(relief, this.#relief);
    gl.uniform1f(bottom, floor);
    gl.uniform1i(side, this.#side);
    gl.uniform1i(wall, 0);
    gl.drawElements(gl.TRIANGLES, 6 * (this.#side - 1) ** 2, gl.UNSIGNED_INT, 0);
    gl.uniform1i(wall, 1);
    gl.drawArrays(gl.TRIANGLES, 0, 24 * (this.#side - 1));
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
  // The nearest corner is further from the middle than the farthest one: the picture is moved up by half of that.
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
