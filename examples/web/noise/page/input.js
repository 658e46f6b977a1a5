// Moves, turns and zooms by pointer, wheel and keys.

/** Pixels of a move and degrees of a turn for each press of an arrow key. */
const MOVE = 24;
const TURN = 4;
const ZOOM = 1.25;

/**
 * Calls `act.move(x, y)` in pixels, `act.turn(turn, tilt)` in degrees, `act.zoom(factor)`, `act.play()`, `act.home()` and
 * `act.point(place)`. In the landscape, drags and arrow keys turn, and with Shift they move.
 */
export function listen(view, isLandscape, act) {
  const shift = (event, x, y, degreesPerPixel) => {
    if (isLandscape() && !event.shiftKey) act.turn(x * degreesPerPixel, y * degreesPerPixel);
    else act.move(-x, -y);
  };
  let last = null;
  view.addEventListener('pointerdown', event => {
    if (event.button !== 0) return;
    view.setPointerCapture(event.pointerId);
    last = event;
    view.classList.add('dragged');
  });
  view.addEventListener('pointermove', event => {
    if (last && event.pointerId === last.pointerId) {
      shift(event, event.clientX - last.clientX, event.clientY - last.clientY, 0.35);
      last = event;
    } else {
      const { left, top } = view.getBoundingClientRect();
      act.point([event.clientX - left, event.clientY - top]);
    }
  });
  for (const name of ['pointerup', 'pointercancel']) {
    view.addEventListener(name, () => {
      last = null;
      view.classList.remove('dragged');
    });
  }
  view.addEventListener('wheel', event => {
    // A browser reports a pinch as a wheel with Ctrl.
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
