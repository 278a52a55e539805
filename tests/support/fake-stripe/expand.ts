import { intentOf, paymentOf } from './billing.ts';
import { refused } from './errors.ts';
import { page } from './listing.ts';
import { find, type Kind, type World } from './world.ts';

type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

interface Edge {
  to: string;
  /** Part of its owner: a path leads through it, and not to it. */
  through?: true;
  /** What stands in the place of the reference, or of what is not in the answer unless asked for. */
  make(world: World, owner: JsonObject, present: Json | undefined): unknown;
}

const reference = (to: Kind): Edge => ({
  to,
  make: (world, _owner, present) =>
    typeof present === 'string' ? find(world, to, present) : present,
});

/** What can be expanded, by what it is part of. */
const graph: Record<string, Record<string, Edge>> = {
  customer: {
    invoice_settings: {
      to: 'invoice settings',
      through: true,
      make: (_world, _owner, present) => present,
    },
  },
  'invoice settings': { default_payment_method: reference('payment_method') },
  subscription: {
    customer: reference('customer'),
    default_payment_method: reference('payment_method'),
    latest_invoice: reference('invoice'),
  },
  invoice: {
    confirmation_secret: {
      to: 'confirmation secret',
      make: (world, { id }) => {
        const intent = intentOf(world, String(id));
        return intent ? { client_secret: intent.client_secret, type: 'payment_intent' } : null;
      },
    },
    payments: {
      to: 'list of invoice_payment',
      make: (world, { id }) => {
        const payment = paymentOf(world, String(id));
        return page(`/v1/invoices/${id}/payments`, payment ? [payment] : []);
      },
    },
  },
  refund: { charge: reference('charge') },
};

const LIST = 'list of ';

/** The way of a path through the graph; its first step in a list is `data`. */
const stepsOf = (type: string, path: string): { steps: string[]; at: string; hint: string } => {
  const steps = path.split('.');
  if (!type.startsWith(LIST)) return { steps, at: type, hint: '' };
  const at = type.slice(LIST.length);
  if (steps[0] === 'data') return { steps: steps.slice(1), at, hint: '' };
  return { steps: [], at, hint: ` You may want to try expanding 'data.${path}' instead.` };
};

/** Refuses, before anything is executed, a path that Stripe could not follow. */
export const checkExpand = (type: string, paths: readonly string[]): void => {
  for (const path of paths) {
    if (path.split('.').length > 4) {
      throw refused(
        `You cannot expand more than 4 levels of a property. Property: ${path}`,
        'expand',
        'property_expansion_max_depth',
      );
    }
    const { steps, at, hint } = stepsOf(type, path);
    let reached: Edge | undefined;
    for (const [place, step] of steps.entries())
      reached = place === 0 ? graph[at]?.[step] : reached && graph[reached.to]?.[step];
    if (!reached || reached.through) {
      throw refused(
        `This property cannot be expanded (${path}).${hint} What this stand-in does not know may exist at Stripe.`,
        'expand',
      );
    }
  }
};

const copy = (value: unknown): Json => JSON.parse(JSON.stringify(value ?? null)) as Json;

const follow = (world: World, type: string, owner: Json, [step, ...rest]: string[]): void => {
  const edge = step && graph[type]?.[step];
  if (!edge || owner === null || typeof owner !== 'object' || Array.isArray(owner)) return;
  const made = copy(edge.make(world, owner, owner[step]));
  owner[step] = made;
  follow(world, edge.to, made, rest);
};

/** A copy as it goes over the wire, with the asked-for references in full. */
export const render = (
  world: World,
  type: string,
  answer: object,
  paths: readonly string[],
): JsonObject => {
  const rendered = copy(answer) as JsonObject;
  for (const path of paths) {
    const { steps, at } = stepsOf(type, path);
    const owners = at === type ? [rendered] : (rendered.data as Json[]);
    for (const owner of owners) follow(world, at, owner, steps);
  }
  return rendered;
};
