import { useEffect } from 'react';
import { fetchJson } from '../platform/fetch-json.ts';
import { anything } from '../platform/read.ts';

/** Asks the server, when the prices come on screen, to renew the plans' features, and reloads the list then. */
export function useUpdatedPlans(reload: () => void) {
  useEffect(() => {
    fetchJson('/api/update-plans', anything, { method: 'POST' }).then(
      (answer) => {
        console.info('Plans updated', answer);
        reload();
      },
      (error) => console.warn('Plans not updated', error),
    );
  }, [reload]);
}
