import { useEffect } from 'react';
import { fetchCall } from '../platform/fetch-call.ts';
import { anything } from '../platform/read.ts';
import { UPDATE_PLANS } from './catalogue-contracts.ts';

/** Asks the server, when the prices come on screen, to renew the plans' features, and reloads the list then. */
export function useUpdatedPlans(reload: () => void) {
  useEffect(() => {
    fetchCall(UPDATE_PLANS, anything).then(
      (answer) => {
        console.info('Plans updated', answer);
        reload();
      },
      (error) => console.warn('Plans not updated', error),
    );
  }, [reload]);
}
