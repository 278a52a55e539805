import { useEffect, useState } from 'react';
import { includedUsers } from '../catalogue/pricing.ts';
import { type CheckoutChoice, readUsers, writeChoice } from './choice.ts';
import { RETURN_PARAMETER } from './payment-return.ts';

interface UseChoice {
  choice: CheckoutChoice;
  /** The user count as it is typed; the choice has the last one that can be bought. */
  users: string;
  /** What is typed is no such count, and it is asked for. */
  usersRefused: boolean;
  /** Users are preset to the number that the plan is sized for. */
  choosePlan(plan: { id: number; name: string }): void;
  change(part: Partial<Omit<CheckoutChoice, 'planId' | 'ms365Users'>>): void;
  typeUsers(text: string): void;
}

/** What is chosen, kept in the address without new history entries, so that the link can be sent or reloaded. */
export function useChoice(first: CheckoutChoice): UseChoice {
  const [choice, setChoice] = useState(first);
  const [users, setUsers] = useState(String(first.ms365Users));

  useEffect(() => {
    const query = new URLSearchParams(writeChoice(choice));
    const secret = new URLSearchParams(window.location.search).get(RETURN_PARAMETER);
    if (secret !== null) query.set(RETURN_PARAMETER, secret);
    const address = query.size > 0 ? `/checkout?${query}` : '/checkout';
    window.history.replaceState(window.history.state, '', address);
  }, [choice]);

  return {
    choice,
    users,
    usersRefused: choice.ms365Option !== 'none' && readUsers(users) === undefined,
    choosePlan({ id, name }) {
      const ms365Users = includedUsers(name);
      setChoice((current) => ({ ...current, planId: id, ms365Users }));
      setUsers(String(ms365Users));
    },
    change: (part) => setChoice((current) => ({ ...current, ...part })),
    typeUsers(text) {
      setUsers(text);
      const ms365Users = readUsers(text);
      if (ms365Users !== undefined) setChoice((current) => ({ ...current, ms365Users }));
    },
  };
}
