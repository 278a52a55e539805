import { useEffect, useState } from 'react';
import { includedUsers } from '../catalogue/pricing.ts';
import { type CheckoutChoice, writeChoice } from './choice.ts';
import { RETURN_PARAMETER } from './payment-return.ts';

interface UseChoice {
  choice: CheckoutChoice;
  /** Users are preset to the number that the plan is sized for. */
  choosePlan(plan: { id: number; name: string }): void;
  change(part: Partial<Omit<CheckoutChoice, 'planId'>>): void;
}

/** What is chosen, kept in the address without new history entries, so that the link can be sent or reloaded. */
export function useChoice(first: CheckoutChoice): UseChoice {
  const [choice, setChoice] = useState(first);

  useEffect(() => {
    const query = new URLSearchParams(writeChoice(choice));
    const secret = new URLSearchParams(window.location.search).get(RETURN_PARAMETER);
    if (secret !== null) query.set(RETURN_PARAMETER, secret);
    const address = query.size > 0 ? `/checkout?${query}` : '/checkout';
    window.history.replaceState(window.history.state, '', address);
  }, [choice]);

  return {
    choice,
    choosePlan: ({ id, name }) =>
      setChoice((current) => ({ ...current, planId: id, ms365Users: includedUsers(name) })),
    change: (part) => setChoice((current) => ({ ...current, ...part })),
  };
}
