/** What is chosen on the checkout, and how it stands in the address. Nonsense there counts as not chosen. */
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

/** `number`: as it stands in an address or a field. */
function findPlan(plans: readonly Plan[], number: string | null | undefined): Plan | undefined {
  return plans.find(({ id }) => String(id) === number);
}

/** How many users a plan is sized for, until another number is chosen. */
function presetUsers(plan: Plan | undefined): number {
  return plan?.users ?? 1;
}

/**
 * The choice as the server draws it, with the users that its plan is sized for. Another count is read from the address by
 * the browser, for a page for each of a thousand would be a way to keep the server busy. `pathPlanId` is the part after
 * /checkout/; the query's plan wins when it names one.
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
  return { choice, usersAwaited: users !== undefined && users !== ms365Users };
}

/**
 * The choice in the fields of `form`, kept in the address without new history entries, so that the link can be sent or
 * reloaded. The fields are uncontrolled: what was chosen in them before the script came counts. `drawn` and `awaited`
 * are what `readChoice` gave; `plans` may be others than the server knew.
 */
export function useChoice(
  drawn: CheckoutChoice,
  awaited: boolean,
  plans: readonly Plan[],
  form: RefObject<HTMLFormElement | null>,
) {
  const drawnUsers = awaited ? '' : String(drawn.ms365Users);
  const [planNumber, setPlanNumber] = useState(drawn.planId?.toString() ?? null);
  const [addOns, setAddOns] = useState<Omit<Choice, 'ms365Users'>>(drawn);
  /** As typed. */
  const [users, setUsers] = useState(drawnUsers);
  /** The browser has read the address and the form. */
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

  /** By its name: React may not have taken over this part of the page when the address is read. */
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

  // Before the list can arrive: a plan that only that list has must be drawn as the chosen one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useLayoutEffect(() => {
    if (!form.current) return;
    const query = new URLSearchParams(window.location.search);
    // Where no plan is chosen, the address may name one that only the list to come has.
    const number =
      planIn(form.current) ?? query.get('plan') ?? window.location.pathname.split('/')[2];
    setPlanNumber(number ?? null);
    if (usersField()?.value === drawnUsers) {
      const named = readCount(query.get(USERS_PARAMETER) ?? '');
      writeUsers(named ?? presetUsers(findPlan(plans, number)));
    }
    readFields(form.current);
    setIsRead(true);
  }, []);

  const address = callUrl(choice);
  useEffect(() => {
    if (isRead) window.history.replaceState(window.history.state, '', address);
  }, [isRead, address]);

  return {
    plan,
    choice,
    drawnUsers,
    askForUsers: () => usersField()?.focus(),
    /** There is no count that can be bought, and one is needed. */
    usersUnknown,
    /** It was typed so: before, the count may stand in an address that has not been read. */
    usersRefused: usersUnknown && isRead,
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

/** Without a query for the choice that everybody begins with. */
function callUrl({ planId, ...choice }: CheckoutChoice): string {
  const { ms365Option, includeCloudBackup } = choice;
  const isChosen = planId !== null || ms365Option !== 'none' || includeCloudBackup;
  return isChosen ? `/checkout?${checkoutQuery(planId, choice)}` : '/checkout';
}
