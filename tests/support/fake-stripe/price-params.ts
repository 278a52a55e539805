import { missing, refused } from './errors.ts';
import { int, maybe, need, object, oneOf } from './schema.ts';

export const recurring = object(
  { interval: need(oneOf('day', 'week', 'month', 'year')), interval_count: maybe(int(1, 156)) },
  ['meter', 'trial_period_days', 'usage_type'],
);

export const taxBehavior = oneOf('exclusive', 'inclusive', 'unspecified');

interface Amounts {
  unit_amount?: number;
  unit_amount_decimal?: string;
}

export const amountOf = (given: Amounts, path: (name: string) => string): string => {
  const { unit_amount: whole, unit_amount_decimal: fine } = given;
  if (whole !== undefined && fine !== undefined) {
    throw refused(
      'You may only specify one of these parameters: unit_amount, unit_amount_decimal.',
      path('unit_amount'),
      'parameters_exclusive',
    );
  }
  if (whole === undefined && fine === undefined) throw missing(path('unit_amount'));
  return fine ?? String(whole);
};
