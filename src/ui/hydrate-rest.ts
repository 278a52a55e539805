import { reportFailedPart } from '../platform/failure-report.ts';
import { doEarlyPress } from './early-presses.ts';

/**
 * Hydrates these islands once their script is there. A press of their buttons is kept until then;
 * if it cannot be fetched, the browser does it, as without script.
 */
export async function hydrateRest(
  islands: readonly Element[],
  hydrate: () => Promise<void>,
): Promise<void> {
  const buttons = islands.flatMap((island) => [...island.querySelectorAll('button')]);
  for (const button of buttons) button.dataset.early = '';
  await hydrate().catch(reportFailedPart);
  for (const button of buttons) button.removeAttribute('data-early');
  doEarlyPress();
}
