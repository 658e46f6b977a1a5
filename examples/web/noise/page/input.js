// Moves, turns and zooms by pointer, wheel and keys.

/** Pixels of a move and degrees of a turn for each press of an arrow key. */
const MOVE = 24;
const TURN = 4;
const ZOOM = 1.25;
/** Degrees of a turn for each pixel of a drag. */
const DRAG_TURN = 0.35;

/**
 * Calls `act.move(x, y)` in pixels, `act.turn(turn, tilt)` in degrees, `act.zoom(factor)`, `act.play()`, `act.home()` and
 * `act.point(position)`. In the landscape, drags and arrow keys turn; with Shift or two fingers they move. A pinch zooms.
 */
export function listen(view, isLandscape, act) {
  listenToPointers(view, isLandscape, act);
  view.addEventListener('wheel', event => {
    // A browser reports a pinch on a touchpad as a wheel with Ctrl.
    event.preventDefault();
    act.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0015)));
  }, { passive: false });

  const arrows = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  view.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key in arrows) {
      const [x, y] = arrows[event.key];
      if (isLandscape() && !event.shiftKey) act.turn(x * TURN, y * TURN);
      else act.move(-x * MOVE, -y * MOVE);
    } else if (event.key === '+' || event.key === '=') act.zoom(ZOOM);
    else if (event.key === '-') act.zoom(1 / ZOOM);
    else if (event.key === ' ') act.play();
    else if (event.key === 'Home') act.home();
    else return;
    event.preventDefault();
  });
}

function listenToPointers(view, isLandscape, act) {
  /** The positions of all pointers that are down. */
  const down = new Map();
  view.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    view.setPointerCapture(event.pointerId);
    down.set(event.pointerId, [event.clientX, event.clientY]);
    view.classList.add('dragged');
  });
  view.addEventListener('pointermove', event => {
    if (!down.has(event.pointerId)) {
      const { left, top } = view.getBoundingClientRect();
      act.point([event.clientX - left, event.clientY - top]);
      return;
    }
    const before = spreadOf(down);
    down.set(event.pointerId, [event.clientX, event.clientY]);
    const after = spreadOf(down);
    const [x, y] = [after.x - before.x, after.y - before.y];
    if (isLandscape() && !event.shiftKey && down.size === 1) act.turn(x * DRAG_TURN, y * DRAG_TURN);
    else act.move(-x, -y);
    if (before.radius > 0 && after.radius > 0) act.zoom(after.radius / before.radius);
  });
  for (const name of ['pointerup', 'pointercancel']) {
    view.addEventListener(name, event => {
      down.delete(event.pointerId);
      view.classList.toggle('dragged', down.size > 0);
    });
  }
}

/** The middle of some pointers, and how far they are from it. */
function spreadOf(pointers) {
  const positions = [...pointers.values()];
  const mean = numbers => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  const [x, y] = [0, 1].map(axis => mean(positions.map(position => position[axis])));
  return { x, y, radius: mean(positions.map(position => Math.hypot(position[0] - x, position[1] - y))) };
}
