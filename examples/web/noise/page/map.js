// The image from above, with arrows for the gradients of the lattice.

export class MapView {
  #map;
  #overlay;

  constructor(map, overlay) {
    this.#map = map;
    this.#overlay = overlay;
  }

  /** Shows an image whose samples are `pixelsPerSample` pixels of the page wide. */
  show({ pixels, columns, rows }, pixelsPerSample) {
    const map = this.#map;
    map.width = columns;
    map.height = rows;
    map.style.width = `${columns * pixelsPerSample}px`;
    map.style.height = `${rows * pixelsPerSample}px`;
    map.getContext('2d').putImageData(new ImageData(pixels, columns, rows), 0, 0);
  }

  /** Draws an arrow at each of `nodes`, whose positions are units from the corner. Draws none for `null`. */
  showNodes(nodes, [width, height], pixelsPerUnit, cell) {
    const overlay = this.#overlay;
    const ratio = devicePixelRatio;
    overlay.width = Math.round(width * ratio);
    overlay.height = Math.round(height * ratio);
    if (!nodes) return;
    const context = overlay.getContext('2d');
    context.scale(ratio, ratio);
    context.lineCap = context.lineJoin = 'round';
    // Unit gradients reach two fifths of the way to the next node.
    const length = 0.4 * cell * pixelsPerUnit;
    // Thin for small cells, where there are many.
    const thickness = Math.min(1, Math.max(0.5, length / 18));
    const strokes = [['rgb(0 0 0 / 75%)', 4 * thickness], ['rgb(255 255 255)', 1.75 * thickness]];
    for (const [color, strokeWidth] of strokes) {
      context.strokeStyle = context.fillStyle = color;
      context.lineWidth = strokeWidth;
      context.beginPath();
      for (let i = 0; i < nodes.length; i += 4) {
        const [x, y] = [nodes[i] * pixelsPerUnit, nodes[i + 1] * pixelsPerUnit];
        const [dx, dy] = [nodes[i + 2] * length, nodes[i + 3] * length];
        const head = Math.min(0.3, 7 / Math.hypot(dx, dy));
        context.moveTo(x, y);
        context.lineTo(x + dx, y + dy);
        context.moveTo(x + dx - head * (dx + 0.6 * dy), y + dy - head * (dy - 0.6 * dx));
        context.lineTo(x + dx, y + dy);
        context.lineTo(x + dx - head * (dx - 0.6 * dy), y + dy - head * (dy + 0.6 * dx));
      }
      context.stroke();
      context.beginPath();
      for (let i = 0; i < nodes.length; i += 4) {
        const [x, y] = [nodes[i] * pixelsPerUnit, nodes[i + 1] * pixelsPerUnit];
        context.moveTo(x, y);
        context.arc(x, y, 1 + strokeWidth / 2, 0, 2 * Math.PI);
      }
      context.fill();
    }
  }

  /** Returns the map with the arrows as a PNG. */
  async png() {
    const { width, height } = this.#map;
    const image = new OffscreenCanvas(width, height);
    const context = image.getContext('2d');
    context.drawImage(this.#map, 0, 0);
    // Pixels of the map for each of the overlay.
    const ratio = width / parseFloat(this.#map.style.width) / devicePixelRatio;
    context.drawImage(this.#overlay, 0, 0, this.#overlay.width * ratio, this.#overlay.height * ratio);
    return image.convertToBlob({ type: 'image/png' });
  }
}
