import { intentOf, paymentOf } from './billing.ts';
import { refused } from './errors.ts';
import { page } from './listing.ts';
import { find, type Kind, type World } from './world.ts';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** The paths that can be expanded, by type of answer. */
const expandable: Record<string, readonly string[]> = {
  subscription: ['default_payment_method', 'latest_invoice.confirmation_secret'],
  'list of subscription': ['data.latest_invoice.confirmation_secret'],
  'list of invoice': ['data.payments'],
  refund: ['charge'],
};

/** Refuses unknown paths before anything is executed. */
export const checkExpand = (type: string, paths: readonly string[]): void => {
  const unknown = paths.find((path) => !expandable[type]?.includes(path));
  if (unknown === undefined) return;
  const words = `This property cannot be expanded (${unknown}). It may exist at Stripe; the stand-in does not support it.`;
  throw refused(words, 'expand');
};

const kinds: Record<string, Kind> = {
  pm: 'payment_method',
  in: 'invoice',
  ch: 'charge',
};

/** The object behind a reference, or a field that Stripe includes only on request. */
const expanded = (world: World, { id }: JsonObject, step: string, present?: Json): unknown => {
  if (step === 'confirmation_secret') {
    const intent = intentOf(world, String(id));
    return intent ? { client_secret: intent.client_secret, type: 'payment_intent' } : null;
  }
  if (step === 'payments') {
    const payment = paymentOf(world, String(id));
    return page(payment ? [payment] : []);
  }
  const kind = typeof present === 'string' && kinds[present.split('_')[0] ?? ''];
  return kind ? find(world, kind, present) : present;
};

const copy = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null)) as Json;

const follow = (world: World, owner: Json, [step, ...rest]: string[]): void => {
  if (step === undefined || owner === null || typeof owner !== 'object') return;
  if (Array.isArray(owner)) {
    for (const each of owner) follow(world, each, [step, ...rest]);
    return;
  }
  const made =
    step === 'data' ? (owner.data ?? null) : copy(expanded(world, owner, step, owner[step]));
  owner[step] = made;
  follow(world, made, rest);
};

/** Returns a JSON copy with the requested references expanded. */
export const render = (world: World, answer: object, paths: readonly string[]): JsonObject => {
  const rendered = copy(answer) as JsonObject;
  for (const path of paths) follow(world, rendered, path.split('.'));
  return rendered;
};
