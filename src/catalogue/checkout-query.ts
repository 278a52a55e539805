/** How a choice stands in the address of the checkout, wherever a link leads there with one. */
import type { Choice } from './pricing.ts';

export const USERS_PARAMETER = 'ms365_users';

/** In the order in which the checkout keeps them. */
export function checkoutQuery(
  planId: number | null,
  { ms365Option, ms365Users, includeCloudBackup }: Choice,
): URLSearchParams {
  const query = new URLSearchParams();
  if (planId !== null) query.set('plan', String(planId));
  query.set('microsoft365', ms365Option);
  query.set(USERS_PARAMETER, String(ms365Users));
  query.set('cloud_backup', String(includeCloudBackup));
  return query;
}
