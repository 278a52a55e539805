/**
 * The catalogue's calls, and how the browser reads it, from an answer or out of the page. Its shapes are apart: they are
 * more than the home page needs to load.
 */

import { type Cents, cents, dollars } from '../platform/money.ts';
import type { Contract } from '../platform/old/contract.ts';
import { fields, flag, id, list, or, type Reader, text } from '../platform/old/read.ts';
import type {
  Plan,
  planRows,
  Service,
  Solution,
  serviceRows,
  solutionRows,
  updatedPlans,
} from './catalogue.ts';
import type { AddOnPrices } from './pricing.ts';

export const LIST_SERVICES: Contract<null, typeof serviceRows> = 'GET /api/services';
export const LIST_SOLUTIONS: Contract<null, typeof solutionRows> = 'GET /api/solutions';
export const LIST_PLANS: Contract<null, typeof planRows> = 'GET /api/plans';
/** Lets the plans' features follow the content. */
export const UPDATE_PLANS: Contract<null, typeof updatedPlans> = 'POST /api/update-plans';

/** '' and an empty list where a row does not say. */
export type ServiceRow = Pick<
  Service,
  'id' | 'name' | 'description' | 'shortDescription' | 'image' | 'features'
>;

const said = or(text, '');
const features = or(list(text), []);

export const readServices = list(
  fields<ServiceRow>({
    id: or(id, 0),
    name: text,
    description: said,
    shortDescription: said,
    image: said,
    features,
  }),
);

export const readSolutions = list(
  fields<Solution>({
    id: or(id, 0),
    name: text,
    description: said,
    industry: said,
    image: said,
    features,
  }),
);

/** A plan without its number, name or price cannot be sold, and is left out. */
export const readPlans = list(
  fields<Plan>({
    id,
    name: text,
    price: dollars,
    description: said,
    popular: or(flag, false),
    features,
  }),
);

const wholeCents: Reader<Cents> = (value) =>
  Number.isSafeInteger(value) ? cents(Number(value)) : undefined;

const perUser = fields({ label: text, pricePerUser: wholeCents });

/** The prices of Microsoft 365 and backup as a page's data carries them: in cents. */
export const readAddOnPrices = fields<AddOnPrices>({
  microsoft365: fields({
    none: perUser,
    business_standard: perUser,
    business_premium: perUser,
    e3: perUser,
  }),
  cloudBackup: perUser,
});
