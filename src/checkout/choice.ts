/** What has been chosen on the checkout, and how it stands in the address. Nonsense there counts as not chosen. */
import { type RefObject, useEffect, useState } from 'react';
import type { Plan } from '../catalogue/catalogue.ts';
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

interface UseChoice {
  /** Undefined also while the list has no plan of the number that is asked for. */
  plan: Plan | undefined;
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

/** What is asked for, whether or not the list of plans has it yet. */
interface Wanted extends Omit<CheckoutChoice, 'planId' | 'ms365Users'> {
  /** Numbers of plans as they stand in the address: the first that names one counts. */
  plans: readonly (string | null | undefined)[];
  /** Undefined: as many as the plan is sized for. */
  ms365Users: number | undefined;
  typed?: string;
}

/**
 * What is chosen, kept in the address without new history entries, so that the link can be sent or reloaded. `first` is
 * how the server has read the address, with the plans that it knew; the browser's list may have others. `awaited`: the
 * server has left the count of users to the browser, which at first draws the same. `form` has the fields, which are
 * uncontrolled: what was chosen in them before the script came is taken over.
 */
export function useChoice(
  first: CheckoutChoice,
  awaited: boolean,
  plans: readonly Plan[],
  form: RefObject<HTMLFormElement | null>,
): UseChoice {
  const [wanted, setWanted] = useState(() => readWanted(first));
  const [usersAwaited, setAwaited] = useState(awaited);
  const { ms365Option, includeCloudBackup, typed } = wanted;
  const plan = wanted.plans.map((number) => findPlan(number, plans)).find(Boolean);
  const asked = usersAwaited ? first.ms365Users : wanted.ms365Users;
  const ms365Users = asked ?? includedUsers(plan?.name ?? '');
  const choice = { planId: plan?.id ?? null, ms365Option, ms365Users, includeCloudBackup };
  const users = usersAwaited ? '' : (typed ?? String(ms365Users));
  const written = writeChoice(choice);
  const licensed = ms365Option !== 'none';

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the fields are taken over
  useEffect(() => {
    const fields = form.current && new FormData(form.current);
    if (fields) setWanted(takeOver(wanted, { plan, users }, fields));
  }, []);

  useEffect(() => {
    if (usersAwaited) return setAwaited(false);
    const address = written ? `/checkout?${written}` : '/checkout';
    // The fragment opens the form that saves a quote, which may not have read it yet.
    window.history.replaceState(window.history.state, '', address + window.location.hash);
  }, [written, usersAwaited]);

  return {
    plan,
    choice,
    users,
    usersRefused: licensed && !usersAwaited && readUsers(users) === undefined,
    usersAwaited: licensed && usersAwaited,
    choosePlan: ({ id }) =>
      setWanted({ ms365Option, includeCloudBackup, plans: [String(id)], ms365Users: undefined }),
    change: (part) => setWanted({ ...wanted, ...part }),
    typeUsers: (text) =>
      setWanted({ ...wanted, typed: text, ms365Users: readUsers(text) ?? ms365Users }),
  };
}

/** `fields` as somebody may have changed them since they were drawn; users and backup are drawn with an option only. */
function takeOver(
  wanted: Wanted,
  drawn: { plan: Plan | undefined; users: string },
  fields: FormData,
): Wanted {
  const planId = fields.get('plan');
  const option = MS365_OPTIONS.find((each) => each === fields.get('microsoft365'));
  const typed = fields.get(USERS_PARAMETER);
  const backup = typed === null ? wanted.includeCloudBackup : fields.has('cloud_backup');
  const changed: Partial<Wanted> = {};
  if (option && option !== wanted.ms365Option) changed.ms365Option = option;
  if (backup !== wanted.includeCloudBackup) changed.includeCloudBackup = backup;
  if (typeof planId === 'string' && planId !== String(drawn.plan?.id))
    Object.assign(changed, { plans: [planId], ms365Users: undefined });
  if (typeof typed === 'string' && typed !== drawn.users)
    Object.assign(changed, {
      typed,
      ms365Users: readUsers(typed) ?? { ...wanted, ...changed }.ms365Users,
    });
  // The same as before, so that nothing is drawn again where nothing was chosen.
  return Object.keys(changed).length > 0 ? { ...wanted, ...changed } : wanted;
}

function readWanted(first: CheckoutChoice): Wanted {
  if (typeof window === 'undefined') return { ...first, plans: [String(first.planId)] };
  const query = new URLSearchParams(window.location.search);
  const pathPlan = window.location.pathname.split('/')[2];
  return {
    ...first,
    plans: [query.get('plan'), pathPlan],
    ms365Users: readUsers(query.get(USERS_PARAMETER)),
  };
}
