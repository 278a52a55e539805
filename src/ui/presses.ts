/**
 * Tells the second half of a press from a new one: a double click, two taps at one place, Enter or
 * Space twice or held. All that a press begins is begun once.
 */
import { type UseMutationOptions, useMutation } from '@tanstack/react-query';
import { useLayoutEffect, useRef } from 'react';

/** The longest pause within a double click, as operating systems set it. */
const DOUBLE_PRESS_MS = 500;
/**
 * The second press of most people's double clicks comes within it. After that, a press on what the
 * first one changed may be meant.
 */
const HELD_MS = 300;
/** A click follows its press at once; a dialog's `cancel` does, too. */
const SAME_EVENT_MS = 100;
/** On a busy page, a press is worked on within it. */
const BUSY_MS = 3000;
/** How far a finger moves between two taps, in pixels. */
const SAME_PLACE = 24;

interface Press {
  at: number;
  /** When its first half was. */
  began: number;
  /** The key repeats because it is held down. */
  held: boolean;
  key: string | null;
  x: number;
  y: number;
}

let last: Press = { at: 0, began: 0, held: false, key: null, x: 0, y: 0 };
/** When it was last worked on: later than it was made, on a busy page. */
let handledAt = 0;
/** When a dialog was last shown: on a busy page, who saw nothing yet presses once more. */
let shownAt = 0;

function record(press: Omit<Press, 'began' | 'held'>, held = false): void {
  const isSame =
    press.key === last.key &&
    (press.key === null || press.key === 'Enter' || press.key === ' ') &&
    Math.abs(press.x - last.x) <= SAME_PLACE &&
    Math.abs(press.y - last.y) <= SAME_PLACE;
  const isSecond = isSame && (held || press.at - Math.max(last.at, shownAt) < DOUBLE_PRESS_MS);
  last = { ...press, held, began: isSecond ? last.began : press.at };
  handledAt = performance.now();
}

if (typeof window !== 'undefined') {
  const early = { capture: true, passive: true };
  const noPlace = { x: 0, y: 0 };
  window.addEventListener(
    'pointerdown',
    ({ timeStamp, clientX: x, clientY: y }) => record({ at: timeStamp, key: null, x, y }),
    early,
  );
  window.addEventListener(
    'keydown',
    ({ timeStamp, key, repeat }) => record({ ...noPlace, at: timeStamp, key }, repeat),
    early,
  );
  // After typing, a press is a new one.
  window.addEventListener(
    'input',
    ({ timeStamp }) => record({ ...noPlace, at: timeStamp, key: 'typed' }),
    early,
  );
  const handled = () => {
    handledAt = performance.now();
  };
  window.addEventListener('pointerup', handled, early);
  // Of a tap, on a busy page long after its `pointerup`: a `cancel` follows it.
  window.addEventListener('mouseup', handled, early);
}

/** That of the last call, unless it failed. Its part of the page may have been replaced since. */
let lastOperated: Press | null = null;

interface PressOptions<Saved, Input> extends UseMutationOptions<Saved, Error, Input> {
  mutationFn: (input: Input) => Promise<Saved>;
}

/**
 * `useMutation` for what a press begins: it does nothing while the last call is under way, nor for
 * the second half of a press whose call has succeeded. `isPending` is one rendering too late.
 */
export function usePress<Saved, Input = void>(options: PressOptions<Saved, Input>) {
  const underWay = useRef(false);
  const mutation = useMutation<Saved, Error, Input>({
    ...options,
    async mutationFn(input) {
      try {
        return await options.mutationFn(input);
      } catch (error) {
        lastOperated = null;
        throw error;
      } finally {
        underWay.current = false;
      }
    },
  });
  /** Whether a press now would be a part of the last one. */
  function isHeld(): boolean {
    if (underWay.current || !lastOperated) return underWay.current;
    const { at, began } = lastOperated;
    // Two presses can have the same time.
    const now = last === lastOperated ? performance.now() : last.at;
    return last.began === began && (last.held || now - at < HELD_MS);
  }
  const mutate: typeof mutation.mutate = (...input) => {
    if (isHeld()) return;
    underWay.current = true;
    lastOperated = last;
    mutation.mutate(...input);
  };
  return { ...mutation, mutate, isHeld };
}

/** `mousedown` moves the focus, and `cancel` is how a press beside a dialog closes it. */
const OPERATES = ['mousedown', 'click', 'keydown', 'cancel'] as const;

/**
 * Keeps the second half of the press that showed something from operating what is shown, and that
 * of the press that took it away from operating what was under it.
 */
export function useNothingPressedBefore(isShown: boolean): void {
  // Before the browser can paint the change, and send it a press.
  useLayoutEffect(() => {
    if (!isShown) return;
    shownAt = performance.now();
    const end = stopPressesOfBefore(DOUBLE_PRESS_MS);
    return () => {
      end();
      setTimeout(stopPressesOfBefore(0), BUSY_MS);
    };
  }, [isShown]);
}

/** `quietMs`: how long what has no press of its own does nothing, such as by a screen reader. */
function stopPressesOfBefore(quietMs: number): () => void {
  const changedAt = performance.now();
  function stop(event: Event) {
    const ofPress = event.timeStamp - handledAt < SAME_EVENT_MS;
    const isSoon = event.timeStamp - changedAt < quietMs;
    if (last.began >= changedAt || !(ofPress || isSoon)) return;
    event.preventDefault();
    event.stopPropagation();
  }
  for (const type of OPERATES) window.addEventListener(type, stop, true);
  return () => {
    for (const type of OPERATES) window.removeEventListener(type, stop, true);
  };
}
