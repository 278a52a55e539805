import { useEffect, useState } from 'react';
import { includedUsers } from '../catalogue/pricing.ts';
import { type CheckoutChoice, readUsers, USERS_PARAMETER, writeChoice } from './choice.ts';
import { RETURN_PARAMETER } from './payment-return.ts';

interface UseChoice {
  choice: CheckoutChoice;
  /** The user count as it is typed; the choice has the last one that can be bought. */
  users: string;
  /** What is typed is no such count, and it is asked for. */
  usersRefused: boolean;
  /** The count stands in the address, and nobody has read it yet. */
  usersAwaited: boolean;
  /** Users are preset to the number that the plan is sized for. */
  choosePlan(plan: { id: number; name: string }): void;
  change(part: Partial<Omit<CheckoutChoice, 'planId' | 'ms365Users'>>): void;
  typeUsers(text: string): void;
}

/** What is chosen, kept in the address without new history entries, so that the link can be sent or reloaded. */
export function useChoice(first: CheckoutChoice, awaited: boolean): UseChoice {
  const [choice, setChoice] = useState(first);
  const [users, setUsers] = useState(awaited ? '' : String(first.ms365Users));
  const [usersAwaited, setAwaited] = useState(awaited);

  useEffect(() => {
    const asked = new URLSearchParams(window.location.search);
    if (usersAwaited) {
      const ms365Users = readUsers(asked.get(USERS_PARAMETER)) ?? choice.ms365Users;
      setChoice({ ...choice, ms365Users });
      setUsers(String(ms365Users));
      setAwaited(false);
      return;
    }
    const query = new URLSearchParams(writeChoice(choice));
    const secret = asked.get(RETURN_PARAMETER);
    if (secret !== null) query.set(RETURN_PARAMETER, secret);
    const address = query.size > 0 ? `/checkout?${query}` : '/checkout';
    window.history.replaceState(window.history.state, '', address);
  }, [choice, usersAwaited]);

  return {
    choice,
    users,
    usersRefused: choice.ms365Option !== 'none' && !usersAwaited && readUsers(users) === undefined,
    usersAwaited: choice.ms365Option !== 'none' && usersAwaited,
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
