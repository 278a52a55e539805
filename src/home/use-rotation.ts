/** The turns of the carousel: by itself every 8 s while nothing holds it, and by the visitor's choice. */
import { startTransition, useEffect, useState, useSyncExternalStore } from 'react';
import { useHold } from '../ui/use-hold.ts';

const TURN_MS = 8000;
/** The next picture is fetched this long before its turn, and no earlier: most visitors have scrolled on. */
const FETCH_AHEAD_MS = 4000;

export function useRotation(count: number) {
  const { held, holdProps } = useHold();
  const still = useSyncExternalStore(
    onReducedMotion,
    () => reducedMotion().matches,
    () => false,
  );
  const [choice, setChoice] = useState<'play' | 'pause'>();
  const [turn, setTurn] = useState({ index: 0 });
  /** The last picture that is fetched; those before it are too. */
  const [due, setDue] = useState(0);

  const playing = choice ? choice === 'play' : !still;
  const rotating = playing && !held;

  // A manual choice is a new turn even when it chooses what is shown: the full 8 s start anew.
  useEffect(() => {
    if (!rotating) return;
    const next = (turn.index + 1) % count;
    const show = () => setTurn({ index: next });
    const fetchNext = setTimeout(() => setDue(upTo(next)), TURN_MS - FETCH_AHEAD_MS);
    const goOn = setTimeout(show, TURN_MS);
    return () => {
      clearTimeout(fetchNext);
      clearTimeout(goOn);
    };
  }, [rotating, turn, count]);

  function goTo(index: number) {
    setDue(upTo(index));
    setTurn({ index });
  }

  return {
    index: turn.index,
    playing,
    rotating,
    isDue: (index: number) => index <= due,
    /** The visitor is at the controls: any picture may be next, but the press that comes with it is answered first. */
    fetchAll: () => startTransition(() => setDue(count)),
    goTo,
    goBy: (step: number) => goTo((turn.index + step + count) % count),
    toggle: () => setChoice(playing ? 'pause' : 'play'),
    holdProps,
  };
}

function upTo(index: number) {
  return (last: number) => Math.max(last, index);
}

const reducedMotion = () => window.matchMedia('(prefers-reduced-motion: reduce)');

function onReducedMotion(listener: () => void) {
  reducedMotion().addEventListener('change', listener);
  return () => reducedMotion().removeEventListener('change', listener);
}
