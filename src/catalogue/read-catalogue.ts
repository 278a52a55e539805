/** The lists of the catalogue as the browser reads them, from an answer or out of the page. */

import { dollars } from '../platform/money.ts';
import { fields, flag, id, list, or, text } from '../platform/read.ts';
import type { Plan, Service, Solution } from './catalogue.ts';

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
