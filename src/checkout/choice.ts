/** The plan and add-ons chosen on the checkout, as in its URL, where invalid values are ignored. */

import { type RefObject, useEffect, useState } from 'react';
import type { Plan } from '../catalogue/catalogue.ts';
import {
  type AddOnPrices,
  type Choice,
  checkoutQuery,
  isOffered,
  readCount,
  USERS_PARAMETER,
} from '../catalogue/pricing.ts';
import { CHECKOUT_PAGES } from '../routes.ts';

interface ChoiceFields {
  /** A plan's id, which the list may lack until it has been fetched. */
  planId: string | null;
  ms365Option: string;
  /** As typed. Null stands for the default, as many as the plan is sized for. */
  users: string | null;
  includeCloudBackup: boolean;
}

function findPlan(plans: readonly Plan[], planId: string | null | undefined): Plan | undefined {
  return plans.find(({ id }) => String(id) === planId);
}

/** `pathPlanId` is the part after /checkout/; a plan in the query wins over it. */
export function findNamedPlan(
  plans: readonly Plan[],
  query: URLSearchParams,
  pathPlanId: string | undefined,
): Plan | undefined {
  return findPlan(plans, query.get('plan')) ?? findPlan(plans, pathPlanId);
}

/**
 * Keeps the form's fields, and names them in the URL without new history entries. The server
 * renders `renderedPlanId` without add-ons, and so does the first render; then the fields get what
 * the URL names and what was entered while the script was loading, which wins.
 */
export function useChoice(
  renderedPlanId: number | null,
  plans: readonly Plan[],
  prices: AddOnPrices,
  form: RefObject<HTMLFormElement | null>,
) {
  const [fields, setFields] = useState<ChoiceFields>({
    planId: renderedPlanId === null ? null : String(renderedPlanId),
    ms365Option: 'none',
    users: null,
    includeCloudBackup: false,
  });
  const [isSettled, setSettled] = useState(false);

  const plan = findPlan(plans, fields.planId);
  const presetUsers = plan?.users ?? 1;
  const users = fields.users ?? String(presetUsers);
  const count = readCount(users);
  const choice: Choice = {
    ms365Option: fields.ms365Option,
    ms365Users: count ?? presetUsers,
    includeCloudBackup: fields.includeCloudBackup,
  };

  // After the paint: a layout effect would render again, and run all effects, in one long task.
  useEffect(() => {
    if (isSettled || !form.current) return;
    setFields(firstFields(new FormData(form.current), users, prices));
    setSettled(true);
  }, [isSettled, form, users, prices]);

  const path = checkoutPath(plan, choice, count !== undefined);
  useEffect(() => {
    if (isSettled) window.history.replaceState(window.history.state, '', path);
  }, [isSettled, path]);

  return {
    plan,
    choice,
    isSettled,
    users,
    /** A number of users is needed, and the field has no valid one. */
    usersUnknown: fields.ms365Option !== 'none' && count === undefined,
    choosePlan: ({ id }: Plan) =>
      setFields((current) => ({ ...current, planId: String(id), users: null })),
    changeAddOns: (changed: Partial<Omit<ChoiceFields, 'planId'>>) =>
      setFields((current) => ({ ...current, ...changed })),
  };
}

/** `entered`: the form's values at hydration. Any but the server's were typed before it. */
function firstFields(entered: FormData, renderedUsers: string, prices: AddOnPrices): ChoiceFields {
  const { search, pathname } = window.location;
  const query = new URLSearchParams(search);
  const named = readCount(query.get(USERS_PARAMETER) ?? '');
  const typed = entered.get(USERS_PARAMETER)?.toString() ?? renderedUsers;
  return {
    planId: entered.get('plan')?.toString() ?? query.get('plan') ?? pathname.split('/')[2] ?? null,
    ms365Option: optionIn(entered, prices) ?? optionIn(query, prices) ?? 'none',
    users: typed !== renderedUsers ? typed : (named?.toString() ?? null),
    includeCloudBackup: [entered, query].some((fields) => fields.get('cloud_backup') === 'true'),
  };
}

function optionIn(values: FormData | URLSearchParams, prices: AddOnPrices): string | undefined {
  const option = values.get('microsoft365')?.toString() ?? 'none';
  return option !== 'none' && isOffered(prices, option) ? option : undefined;
}

/** The default choice has no query, and an invalid number of users is left out. */
function checkoutPath(plan: Plan | undefined, choice: Choice, isCountValid: boolean): string {
  const { ms365Option, includeCloudBackup } = choice;
  const isChosen = plan !== undefined || ms365Option !== 'none' || includeCloudBackup;
  if (!isChosen) return CHECKOUT_PAGES.checkout.path;
  const query = checkoutQuery(plan?.id ?? null, choice);
  if (!isCountValid) query.delete(USERS_PARAMETER);
  return `${CHECKOUT_PAGES.checkout.path}?${query}`;
}
