/**
 * The site's own calls: JSON in, JSON out, with cookies. An answer that is not ok becomes a `CallError`
 * whose text is '<status>: <body>' and whose `reason` is what the server wants the user to read.
 */
import type * as z from 'zod/mini';
import type { Cents } from '../money.ts';
import { type Address, addressOf, type Contract } from './contract.ts';
import type { Reader } from './read.ts';

export { CallError } from '../fetch-call.ts';

import { CallError } from '../fetch-call.ts';

type Schema = z.ZodMiniType;

/** What a reader makes of an answer, as it travels: an amount is a number. */
type Wire<Told> = Told extends Cents
  ? number
  : Told extends object
    ? { [Field in keyof Told]: Wire<Told[Field]> }
    : Told;

/** A reader of what the contract promises, or of one of its kinds. */
export type ReaderOf<Answer extends Schema, Told> = Reader<Told> &
  ([Extract<Whole<z.output<Answer>>, Wire<Told>>] extends [never]
    ? 'the reader does not fit the contract'
    : unknown);

/** With what may be missing, for which a reader has something that stands in. */
type Whole<Thing> = Thing extends readonly unknown[]
  ? Thing
  : Thing extends object
    ? { [Field in keyof Thing]-?: Whole<Exclude<Thing[Field], undefined>> }
    : Thing;

interface CallOptions<Body> extends Address {
  /** A part of it may be missing: the server says what. */
  body?: Body extends Schema ? Partial<z.input<Body>> : never;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** With 'null', an answer of 401 is read as null; else it is an error. */
  unauthorized?: 'error' | 'null';
}

/**
 * Makes a call and reads its JSON; an answer without a body is read as undefined. Throws a CallError, offline a
 * TypeError, and a SyntaxError for an answer that cannot be read.
 */
export async function fetchCall<Body extends Schema | null, Answer extends Schema, Told>(
  contract: Contract<Body, Answer>,
  read: ReaderOf<Answer, Told>,
  options: CallOptions<Body> = {},
): Promise<Told> {
  const { body, headers, signal, unauthorized } = options;
  const url = addressOf(contract, options);
  const response = await fetch(url, {
    method: contract.replace(/ .*/, ''),
    credentials: 'include',
    headers: { ...(body && { 'Content-Type': 'application/json' }), ...headers },
    body: body ? JSON.stringify(body) : null,
    signal: signal ?? null,
  });
  const received = await response.text();
  const signedOut = response.status === 401 && unauthorized === 'null';
  if (!response.ok && !signedOut)
    throw new CallError(response.status, response.statusText, received);
  const answer = read(signedOut ? null : received ? JSON.parse(received) : undefined);
  if (answer === undefined) throw new SyntaxError(`${url}: unreadable`);
  return answer;
}
