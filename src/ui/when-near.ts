import { reportFailedPart } from '../platform/failure-report.ts';
import { doEarlyPress } from './early-presses.ts';

/** Before a visitor who scrolls reads it, also on a slow line. */
const NEAR = '200% 0px';

/**
 * Hydrates these islands once one comes near the view. A press of their buttons is kept until then;
 * if their script cannot be fetched, the browser does it, as without script.
 */
export function whenNear(islands: readonly Element[], hydrate: () => Promise<void>): void {
  const buttons = islands.flatMap((island) => [...island.querySelectorAll('button')]);
  for (const button of buttons) button.dataset.early = '';
  const observer = new IntersectionObserver(
    async (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      await hydrate().catch(reportFailedPart);
      for (const button of buttons) button.removeAttribute('data-early');
      doEarlyPress();
    },
    { rootMargin: NEAR },
  );
  // An island has no box of its own.
  for (const { parentElement } of islands) if (parentElement) observer.observe(parentElement);
}
