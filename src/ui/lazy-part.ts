import { type ComponentType, lazy } from 'react';

/** The script of a part could not be fetched, twice. Browsers may remember that until the page is loaded again. */
export class PartNotFetched extends Error {}

/**
 * A part whose script is loaded when it is first drawn; the failure boundary around it says so when that fails.
 * @public
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(async () => {
    try {
      return { default: await load().catch(load) };
    } catch (error) {
      throw new PartNotFetched('a part could not be fetched', { cause: error });
    }
  });
}
