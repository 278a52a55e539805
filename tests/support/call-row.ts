/** What a call owes to whom, in general. */
import type { Visitor } from './visitor.ts';

/** What the calls are about: an order, and who has to do with it. */
export interface Scene {
  owner: Visitor;
  orderId: number;
  clientSecret: string;
}

export const CALLERS = ['anonymous', 'stranger', 'owner', 'staff'] as const;
export type Caller = (typeof CALLERS)[number];

export interface CallRow {
  /** The status that a well-formed request of each caller gets. */
  gives: Record<Caller, number>;
  /** A well-formed body; absent where the call takes none. */
  body?: (scene: Scene, caller: Caller) => Record<string, unknown>;
  /** Texts that a body may hold besides those of `body`. */
  optional?: readonly string[];
  /** The path with its parts filled in. */
  path?: (scene: Scene) => string;
  /** The status for a wrong value of the right type, by field, where the call and not the schema is the judge. */
  judges?: Record<string, number>;
  /** Statuses besides those that any call of its kind may give. */
  also?: readonly number[];
}

export const everybody = (status: number) => ({
  anonymous: status,
  stranger: status,
  owner: status,
  staff: status,
});
export const staffOnly = { anonymous: 401, stranger: 401, owner: 401, staff: 200 };
export const ownerAndStaff = { anonymous: 404, stranger: 404, owner: 200, staff: 200 };

/** The secret is what admits to a test payment: anybody but the owner has to guess it. */
export const secret = ({ clientSecret }: Scene, caller: Caller) =>
  caller === 'owner' ? clientSecret : `test_payment_1_secret_${'x'.repeat(43)}`;
export const ownerOnly = { anonymous: 404, stranger: 404, owner: 200, staff: 404 };

/** A plain order for the Essential plan, whose price is 450 dollars. */
export const SAMPLE_ORDER = {
  planId: 1,
  name: 'Jane Doe',
  email: 'jane@dealer.example',
  phone: '404-555-0100',
  ms365Option: 'none',
  ms365Users: 0,
  includeCloudBackup: false,
  amount: 450,
  paymentMethod: 'credit_card',
};

export const SAMPLE_MESSAGE = {
  name: 'Jane Doe',
  email: 'jane@dealer.example',
  message: 'Our phones have been down since nine.',
};
