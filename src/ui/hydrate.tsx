/** React in a document: its islands, and what is rendered in the browser alone. */
import { type ReactElement, startTransition } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { newQueryClient } from '../platform/browser/query-client.ts';
import { reportFailedPart } from '../platform/failure-report.ts';
import type { PublicSite } from '../platform/site.ts';
import { doEarlyPress } from './early-presses.ts';
import { IslandRoot, islandPrefix } from './island.tsx';
import { controlsIn, type FormControl, isChoice } from './typed-fields.ts';

const client = newQueryClient();

/** Renders into an element, in place of what the server put there. */
export function renderInto(element: Element, site: PublicSite, content: ReactElement): void {
  createRoot(element, { identifierPrefix: `${element.id}-` }).render(
    <IslandRoot site={site} client={client}>
      {content}
    </IslandRoot>,
  );
}

/** Hydrates islands, each by itself, in this order, and marks the document as ready. */
export async function hydrateIslands(
  site: PublicSite,
  islands: readonly (readonly [place: number, island: ReactElement])[],
): Promise<void> {
  await Promise.all(
    islands.map(
      ([place, island]) =>
        new Promise<void>((resolve) => {
          const element = findIsland(place);
          if (element)
            hydrate(
              element,
              islandPrefix(place),
              <IslandRoot site={site} client={client} onHydrated={resolve}>
                {island}
              </IslandRoot>,
            );
        }),
    ),
  );
  document.documentElement.dataset.ready = '';
}

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

export const findIsland = (place: number) => document.querySelector(`[data-island="${place}"]`);

/** In a transition. What was typed is put back if React renders fields again. */
function hydrate(element: Element, identifierPrefix: string, root: ReactElement): void {
  const before = controlsIn(element);
  const focused = document.activeElement;
  startTransition(() => {
    hydrateRoot(element, root, {
      identifierPrefix,
      onRecoverableError(error) {
        for (const lost of before.filter(({ isConnected }) => !isConnected)) {
          const same = controlsIn(element).find((each) => isSame(each, lost));
          if (same) restore(same, lost);
          if (lost === focused) same?.focus({ preventScroll: true });
        }
        reportError(error);
      },
    });
  });
}

function isSame(one: FormControl, other: FormControl): boolean {
  return (
    one.name === other.name &&
    one.type === other.type &&
    (!isChoice(one) || one.value === other.value)
  );
}

function restore(control: FormControl, lost: FormControl): void {
  if ('checked' in lost && lost.checked && 'checked' in control) {
    if (!control.checked) control.click();
  } else if (lost.value !== '') {
    control.value = lost.value;
    control.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
