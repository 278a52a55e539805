/** The shape of the table in call-rows.ts: which caller gets which status from a call. */
import type { Visitor } from './visitor.ts';

/** An order and its owner, which the calls refer to. */
export interface Scene {
  owner: Visitor;
  orderId: number;
  clientSecret: string;
}

export const CALLERS = ['anonymous', 'stranger', 'owner', 'staff'] as const;
export type Caller = (typeof CALLERS)[number];

export interface CallRow {
  /** The status of a well-formed request, by caller. */
  statuses: Record<Caller, number>;
  /** A well-formed body; absent for calls that take none. */
  body?: (scene: Scene, caller: Caller) => Record<string, unknown>;
  /** Further text fields that the body may have. */
  optional?: readonly string[];
  /** The path with its parameters filled in, if they must exist. */
  path?: (scene: Scene) => string;
  /** By field, the status for a wrong value of the right type, where the call decides. */
  invalidValues?: Record<string, number>;
  /** Statuses besides those above and those that any call of its kind may return. */
  otherStatuses?: readonly number[];
}

/** An order for the Essential plan, at 450 dollars. */
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
