/** What is wrong about a quote's fields. */
import { quoteRequest } from './quote.ts';

export const FIELDS = ['name', 'email', 'company', 'note'] as const;
export type Name = (typeof FIELDS)[number];
export type Faults = Partial<Record<Name, string>>;

export const MISSING: Faults = {
  name: 'Please enter your name',
  email: 'Please enter your email address',
};

/** The same rules as the server's, told at the fields before anything is sent. */
export function faultsIn(body: object, typed: Record<Name, string>): Faults {
  const result = quoteRequest.safeParse(body);
  const faults: Faults = {};
  for (const { path, message } of result.error?.issues ?? []) {
    const name = FIELDS.find((each) => each === path[0]);
    if (name) faults[name] ??= (typed[name].trim() === '' && MISSING[name]) || message;
  }
  return faults;
}
