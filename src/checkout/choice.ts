/** What has been chosen on the checkout, and how it stands in the address. Nonsense there counts as not chosen. */
import { type FormEvent, type RefObject, useEffect, useLayoutEffect, useState } from 'react';
import { readAddOns } from '../catalogue/add-on-fields.tsx';
import type { Plan } from '../catalogue/catalogue.ts';
import {
  type Choice,
  checkoutQuery,
  MS365_OPTIONS,
  readCount,
  USERS_PARAMETER,
} from '../catalogue/pricing.ts';

export interface CheckoutChoice extends Choice {
  planId: number | null;
}

/** A plan's number as it stands in an address or a field. */
type PlanNumber = string | null | undefined;

/** The first of the numbers that names a plan. */
function findPlan(numbers: readonly PlanNumber[], plans: readonly Plan[]): Plan | undefined {
  return numbers
    .map((number) => plans.find(({ id }) => String(id) === number))
    .find((plan) => plan !== undefined);
}

/** How many users a plan is sized for, until another number is chosen. */
const presetUsers = (plan: Plan | undefined) => plan?.users ?? 1;

/**
 * The choice as the server draws it: with the count of users that its plan is sized for. Another one is awaited from the
 * address by the browser, for a page for each of a thousand would be a way to keep the server busy. `pathPlanId` is the
 * part after /checkout/; the query's plan wins when it names one.
 */
export function readChoice(
  query: URLSearchParams,
  pathPlanId: string | undefined,
  plans: readonly Plan[],
) {
  const plan = findPlan([query.get('plan'), pathPlanId], plans);
  const ms365Users = presetUsers(plan);
  const choice: CheckoutChoice = {
    planId: plan?.id ?? null,
    ms365Option: MS365_OPTIONS.find((each) => each === query.get('microsoft365')) ?? 'none',
    ms365Users,
    includeCloudBackup: query.get('cloud_backup') === 'true',
  };
  const users = readCount(query.get(USERS_PARAMETER) ?? '');
  return { choice, usersAwaited: users !== undefined && users !== ms365Users };
}

interface Wanted extends Omit<Choice, 'ms365Users'> {
  plans: readonly PlanNumber[];
  /** As typed; undefined: as many as the plan is sized for. */
  users: string | undefined;
}

/**
 * What is chosen, kept in the address without new history entries, so that the link can be sent or reloaded. `first` is
 * how the server has read the address, with the plans that it knew; the browser's list may have others. `awaited`: the
 * server has left the count of users to the browser. The fields of the form are uncontrolled: what was chosen in them
 * before the script came is taken over.
 */
export function useChoice(
  { planId, ...first }: CheckoutChoice,
  awaited: boolean,
  plans: readonly Plan[],
  form: RefObject<HTMLFormElement | null>,
) {
  const [wanted, setWanted] = useState<Wanted>({
    ...first,
    plans: [String(planId)],
    users: awaited ? '' : undefined,
  });
  /** The browser has read the address. */
  const [taken, setTaken] = useState(false);
  const plan = findPlan(wanted.plans, plans);
  const users = wanted.users ?? String(presetUsers(plan));
  const count = readCount(users);
  const choice: CheckoutChoice = {
    planId: plan?.id ?? null,
    ms365Option: wanted.ms365Option,
    ms365Users: count ?? presetUsers(plan),
    includeCloudBackup: wanted.includeCloudBackup,
  };
  const written = addressOf(choice);
  const licensed = choice.ms365Option !== 'none';
  const usersField = () =>
    form.current?.querySelector<HTMLInputElement>(`[name=${USERS_PARAMETER}]`);

  function takeOver(fields: HTMLFormElement, typed: string | undefined, others: PlanNumber[] = []) {
    const number = new FormData(fields).get('plan');
    const numbers = typeof number === 'string' ? [number, ...others] : [...others, ...wanted.plans];
    setWanted({ ...readAddOns(fields), plans: numbers, users: typed });
  }

  // Before the list is fetched again: a plan that only that list has is drawn as the chosen one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => {
    setTaken(true);
    if (!form.current) return;
    const query = new URLSearchParams(window.location.search);
    const typed = usersField()?.value;
    const named = query.get(USERS_PARAMETER) ?? '';
    const fromAddress = readCount(named) === undefined ? undefined : named;
    takeOver(form.current, typed === users ? fromAddress : typed, [
      query.get('plan'),
      window.location.pathname.split('/')[2],
    ]);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the field is the same
  useEffect(() => {
    const field = usersField();
    if (taken && field && field.value !== users) field.value = users;
  }, [taken, users]);

  useEffect(() => {
    // The fragment opens the form that saves a quote, which may not have read it yet.
    const address = written + window.location.hash;
    if (taken) window.history.replaceState(window.history.state, '', address);
  }, [taken, written]);

  return {
    plan,
    choice,
    users,
    /** What is typed is no count that can be bought, and a right one is needed. */
    usersRefused: licensed && taken && count === undefined,
    /** The count stands in the address, and has not been read yet. */
    usersAwaited: licensed && !taken && awaited,
    /** With another plan the users are those that it is sized for. */
    onChange({ currentTarget, target }: FormEvent<HTMLFormElement>) {
      const isPlan = target instanceof HTMLInputElement && target.name === 'plan';
      takeOver(currentTarget, isPlan ? undefined : usersField()?.value);
    },
  };
}

/** Without a query for the choice that everybody begins with. */
function addressOf({ planId, ...choice }: CheckoutChoice): string {
  const { ms365Option, ms365Users, includeCloudBackup } = choice;
  const chosen = planId !== null || ms365Option !== 'none' || includeCloudBackup;
  const query = chosen || ms365Users !== 1 ? `?${checkoutQuery(planId, choice)}` : '';
  return `/checkout${query}`;
}
