/** What has been chosen on the checkout, and how it stands in the address. Nonsense there counts as not chosen. */
import {
  type Choice,
  checkoutQuery,
  MS365_OPTIONS,
  USERS_PARAMETER,
} from '../catalogue/pricing.ts';
import { includedUsers, MAX_USERS, readCount } from '../catalogue/user-count.ts';

export interface CheckoutChoice extends Choice {
  planId: number | null;
}

interface NamedPlan {
  id: number;
  name: string;
}

/** `pathPlanId` is the part after /checkout/; the query's plan wins when it names one. */
export function readChoice(
  query: URLSearchParams,
  pathPlanId: string | undefined,
  plans: readonly NamedPlan[],
): CheckoutChoice {
  const plan = findPlan(query.get('plan'), plans) ?? findPlan(pathPlanId, plans);
  const option = MS365_OPTIONS.find((each) => each === query.get('microsoft365'));
  return {
    planId: plan?.id ?? null,
    ms365Option: option ?? 'none',
    ms365Users: readUsers(query.get(USERS_PARAMETER)) ?? includedUsers(plan?.name ?? ''),
    includeCloudBackup: query.get('cloud_backup') === 'true',
  };
}

/**
 * The choice as the server draws it: with the count of users that its plan is sized for. Another one is awaited from the
 * address by the browser, for a page for each of a thousand would be a way to keep the server busy.
 */
export function withPresetUsers(choice: CheckoutChoice, plans: readonly NamedPlan[]) {
  const ms365Users = includedUsers(plans.find(({ id }) => id === choice.planId)?.name ?? '');
  return {
    choice: { ...choice, ms365Users },
    usersAwaited: choice.ms365Users !== ms365Users,
  };
}

/** The query string for a choice, without the question mark; '' for the choice that everybody begins with. */
export function writeChoice({ planId, ...choice }: CheckoutChoice): string {
  const { ms365Option, ms365Users, includeCloudBackup } = choice;
  const untouched = planId === null && ms365Option === 'none' && !includeCloudBackup;
  if (untouched && ms365Users === includedUsers('')) return '';
  return checkoutQuery(planId, choice).toString();
}

/** Users as typed: digits only, 1 to 1,000; undefined for anything else. */
export function readUsers(text: string | null): number | undefined {
  return text === null ? undefined : readCount(text, MAX_USERS);
}

/** The plan of the number that stands in an address. */
export function findPlan<Row extends NamedPlan>(
  text: string | null | undefined,
  plans: readonly Row[],
): Row | undefined {
  return text && /^\d{1,10}$/.test(text)
    ? plans.find((plan) => plan.id === Number(text))
    : undefined;
}
