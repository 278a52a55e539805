/** Parses form-encoded parameters and checks them with zod; refusals read like Stripe's. */
import * as z from 'zod';
import { missing, refused, type StripeFailure } from './errors.ts';

export type ParamValue = string | ParamTree;
export interface ParamTree {
  [key: string]: ParamValue;
}

const emptyTree = (): ParamTree => Object.create(null) as ParamTree;

const segmentsOf = (name: string): string[] => {
  const bracket = name.indexOf('[');
  if (bracket < 0) return [name];
  const inner = name.slice(bracket).matchAll(/\[([^\]]*)\]/g);
  return [name.slice(0, bracket), ...Array.from(inner, (match) => match[1] ?? '')];
};

const place = (tree: ParamTree, segments: string[], value: string): void => {
  const [head = '', ...rest] = segments;
  const key = head === '' ? String(Object.keys(tree).length) : head;
  if (rest.length === 0) {
    tree[key] = value;
    return;
  }
  const existing = tree[key];
  const child = typeof existing === 'object' ? existing : emptyTree();
  tree[key] = child;
  place(child, rest, value);
};

/** Parses `items[0][price]=x&expand[]=y` into a tree. Lists become objects with index keys; only a schema can tell. */
export const parseForm = (text: string): ParamTree => {
  const tree = emptyTree();
  for (const [name, value] of new URLSearchParams(text)) {
    if (name !== '') place(tree, segmentsOf(name), value);
  }
  return tree;
};

const sorted = (value: ParamValue): unknown =>
  typeof value === 'string'
    ? value
    : Object.keys(value)
        .sort()
        .map((key) => [key, sorted(value[key] ?? '')]);

/** The same text for the same parameters in any order. */
export const canonical = (tree: ParamTree): string => JSON.stringify(sorted(tree));

export const text = (max = 5000) =>
  z.string().min(1).max(max, `Invalid string: must be at most ${max} characters`);

const formed = (form: RegExp, what: string, code?: string) =>
  text().refine((given) => form.test(given), {
    error: ({ input }) => `${what}: ${input}`,
    params: { code },
  });

export const int = (min: number, max = Number.MAX_SAFE_INTEGER) =>
  formed(/^-?\d+$/, 'Invalid integer', 'parameter_invalid_integer')
    .transform(Number)
    .refine((given) => given >= min && given <= max, {
      error: `Invalid integer: must be between ${min} and ${max}`,
      params: { code: 'parameter_invalid_integer' },
    });

export const bool = formed(/^(true|false)$/, 'Invalid boolean').transform(
  (given) => given === 'true',
);

export const oneOf = z.enum;

export const email = formed(
  /^(?=.{1,512}$)[^\s@]+@[^\s@]+\.[^\s@.]+$/,
  'Invalid email address',
  'email_invalid',
);

export const currency = oneOf(['usd']);

/** Turns an object with index keys back into a list. */
export const list = <S extends z.ZodType>(schema: S, max = 1000) =>
  z.preprocess(
    (given) =>
      typeof given === 'object' && given && Object.keys(given).every((key) => /^\d+$/.test(key))
        ? Object.entries(given)
            .sort(([one], [other]) => Number(one) - Number(other))
            .map(([, value]) => value)
        : given,
    z.array(schema).max(max),
  );

export const metadata = z
  .record(z.string(), z.string().max(500, 'Metadata values can have up to 500 characters.'))
  .refine((given) => Object.keys(given).length <= 50, 'Metadata can have at most 50 keys.')
  .refine(
    (given) => Object.keys(given).every((key) => key.length <= 40),
    'Metadata keys can have up to 40 characters.',
  );

/** Optional at Stripe, but the site always sends it, so the stand-in does not support its absence. */
export const wanted = <S extends z.ZodType>(schema: S) =>
  schema.optional().transform((given, context): z.output<S> => {
    if (given !== undefined) return given;
    const message = 'Optional at Stripe, but the stand-in requires it.';
    context.addIssue({ code: 'custom', message, params: { code: 'stand_in_not_modelled' } });
    return z.NEVER;
  });

/** Unknown parameters are refused. */
export const object = z.strictObject;

export const address = object({ country: text().optional(), postal_code: text().optional() });

/** An inline price. */
export const priceData = object({
  currency,
  product: text(),
  recurring: object({ interval: oneOf(['month']) }),
  tax_behavior: wanted(oneOf(['exclusive'])),
  unit_amount: wanted(int(0, 99_999_999)),
});

/** `items` of an update or a preview. */
export const itemChanges = list(
  object({
    id: text().optional(),
    price_data: priceData.optional(),
    quantity: int(0).optional(),
    deleted: bool.optional(),
  }),
  20,
);

/** Throws Stripe's refusal when the parameters do not match the schema. */
export const parse = <S extends z.ZodType>(schema: S, tree: ParamTree): z.output<S> => {
  const read = schema.safeParse(tree, { reportInput: true });
  if (read.success) return read.data;
  const { issues } = read.error;
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  throw issue ? refusal(issue) : read.error;
};

const nameOf = ([first = '', ...rest]: readonly PropertyKey[]): string =>
  [String(first), ...rest.map((key) => `[${String(key)}]`)].join('');

const refusal = (issue: z.core.$ZodIssue): StripeFailure => {
  const param = nameOf(issue.path);
  if (issue.code === 'unrecognized_keys') {
    const [name] = issue.keys.map((key) => nameOf([...issue.path, key]));
    const words = `Received unknown parameter: ${name}. It may exist at Stripe; the stand-in does not support it.`;
    return refused(words, name, 'parameter_unknown');
  }
  if (issue.code === 'custom') return refused(issue.message, param, issue.params?.code);
  if (issue.input === undefined) return missing(param);
  if (issue.input === '')
    return refused(`You passed an empty string for '${param}'.`, param, 'parameter_invalid_empty');
  return refused(issue.message, param);
};
