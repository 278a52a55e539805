/** The plan and add-ons chosen on the checkout, kept in its URL. Invalid values there are ignored. */
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

/** `number` is the plan's id as text, from the URL or a field. */
function findPlan(plans: readonly Plan[], number: string | null | undefined): Plan | undefined {
  return plans.find(({ id }) => String(id) === number);
}

/** The default number of users: as many as the plan is sized for. */
function presetUsers(plan: Plan | undefined): number {
  return plan?.users ?? 1;
}

/**
 * The choice that the server renders, always with the plan's default number of users. The browser reads any other number
 * from the URL: rendering a page for each of a thousand would let anyone keep the server busy. `pathPlanId` is the
 * part after /checkout/; a plan in the query wins over it.
 */
export function readChoice(
  query: URLSearchParams,
  pathPlanId: string | undefined,
  plans: readonly Plan[],
) {
  const plan = findPlan(plans, query.get('plan')) ?? findPlan(plans, pathPlanId);
  const ms365Users = presetUsers(plan);
  const choice: CheckoutChoice = {
    planId: plan?.id ?? null,
    ms365Option: MS365_OPTIONS.find((each) => each === query.get('microsoft365')) ?? 'none',
    ms365Users,
    includeCloudBackup: query.get('cloud_backup') === 'true',
  };
  const users = readCount(query.get(USERS_PARAMETER) ?? '');
  return { choice, usersPending: users !== undefined && users !== ms365Users };
}

/**
 * Reads the choice from the fields of `form` and keeps it in the URL, without new history entries, so that the page
 * can be reloaded or shared. The fields are uncontrolled, which keeps what was chosen before the script ran. `initial` and
 * `usersPending` come from `readChoice`; `plans` may be newer than the server's.
 */
export function useChoice(
  initial: CheckoutChoice,
  usersPending: boolean,
  plans: readonly Plan[],
  form: RefObject<HTMLFormElement | null>,
) {
  const initialUsers = usersPending ? '' : String(initial.ms365Users);
  const [planNumber, setPlanNumber] = useState(initial.planId?.toString() ?? null);
  const [addOns, setAddOns] = useState<Omit<Choice, 'ms365Users'>>(initial);
  /** As typed. */
  const [users, setUsers] = useState(initialUsers);
  /** The URL and the form have been read. */
  const [isRead, setIsRead] = useState(false);

  const plan = findPlan(plans, planNumber);
  const count = readCount(users);
  const choice: CheckoutChoice = {
    planId: plan?.id ?? null,
    ms365Option: addOns.ms365Option,
    ms365Users: count ?? presetUsers(plan),
    includeCloudBackup: addOns.includeCloudBackup,
  };
  const usersUnknown = addOns.ms365Option !== 'none' && count === undefined;

  /** Found by name, not by ref: React may not have hydrated this part of the page yet. */
  function usersField() {
    return form.current?.querySelector<HTMLInputElement>(`[name=${USERS_PARAMETER}]`);
  }

  function writeUsers(number: number) {
    const field = usersField();
    if (field) field.value = String(number);
  }

  function readFields(fields: HTMLFormElement) {
    setAddOns(readAddOns(fields));
    setUsers(usersField()?.value ?? '');
  }

  // In a layout effect, so that a plan that only the fetched list has is rendered as the chosen one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => {
    if (!form.current) return;
    const query = new URLSearchParams(window.location.search);
    // If no plan is checked, the URL may name one that only the fetched list has.
    const number =
      planIn(form.current) ?? query.get('plan') ?? window.location.pathname.split('/')[2];
    setPlanNumber(number ?? null);
    if (usersField()?.value === initialUsers) {
      const named = readCount(query.get(USERS_PARAMETER) ?? '');
      writeUsers(named ?? presetUsers(findPlan(plans, number)));
    }
    readFields(form.current);
    setIsRead(true);
  }, []);

  const path = checkoutPath(choice, count !== undefined);
  useEffect(() => {
    if (isRead) window.history.replaceState(window.history.state, '', path);
  }, [isRead, path]);

  return {
    plan,
    choice,
    initialUsers,
    focusUsers: () => usersField()?.focus(),
    /** A number of users is needed, and the field has no valid one. */
    usersUnknown,
    /** Not before the URL is read, which may have a valid number. */
    showUsersError: usersUnknown && isRead,
    onChange({ currentTarget, target }: FormEvent<HTMLFormElement>) {
      if (target instanceof HTMLInputElement && target.name === 'plan') {
        setPlanNumber(target.value);
        writeUsers(presetUsers(findPlan(plans, target.value)));
      }
      readFields(currentTarget);
    },
  };
}

function planIn(form: HTMLFormElement): string | null {
  const number = new FormData(form).get('plan');
  return typeof number === 'string' ? number : null;
}

/** The default choice has no query, and an invalid number of users is left out: the screen shows no other. */
function checkoutPath({ planId, ...choice }: CheckoutChoice, isCountValid: boolean): string {
  const { ms365Option, includeCloudBackup } = choice;
  const isChosen = planId !== null || ms365Option !== 'none' || includeCloudBackup;
  if (!isChosen) return '/checkout';
  const query = checkoutQuery(planId, choice);
  if (!isCountValid) query.delete(USERS_PARAMETER);
  return `/checkout?${query}`;
}
