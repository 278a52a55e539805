import { missing, notModelled, refused } from './errors.ts';
import type { ParamTree, ParamValue } from './form.ts';

export interface Schema<T> {
  parse(value: ParamValue, path: string): T;
}

interface Field<T, R extends boolean> {
  schema: Schema<T>;
  required: R;
}

export type Shape = Record<string, Field<unknown, boolean>>;

type Value<F> = F extends Field<infer T, boolean> ? T : never;
type RequiredKeys<S extends Shape> = {
  [K in keyof S]: S[K]['required'] extends true ? K : never;
}[keyof S];

export type Parsed<S extends Shape> = { [K in RequiredKeys<S>]: Value<S[K]> } & {
  [K in Exclude<keyof S, RequiredKeys<S>>]?: Value<S[K]>;
};

export const need = <T>(schema: Schema<T>): Field<T, true> => ({ schema, required: true });
export const maybe = <T>(schema: Schema<T>): Field<T, false> => ({ schema, required: false });

const scalar = (value: ParamValue, path: string, kind: string): string => {
  if (typeof value !== 'string') throw refused(`Invalid ${kind}: ${JSON.stringify(value)}`, path);
  if (value === '') {
    throw refused(
      `You passed an empty string for '${path}'. We assume empty values are an attempt to unset a parameter; however '${path}' cannot be unset. You should remove '${path}' from your request or supply a non-empty value.`,
      path,
      'parameter_invalid_empty',
    );
  }
  return value;
};

export const text = (max = 5000): Schema<string> => ({
  parse(value, path) {
    const found = scalar(value, path, 'string');
    if (found.length > max) {
      throw refused(
        `Invalid string: ${found.slice(0, 10)}…${found.slice(-10)}; must be at most ${max} characters`,
        path,
      );
    }
    return found;
  },
});

export const int = (
  min = Number.MIN_SAFE_INTEGER,
  max = Number.MAX_SAFE_INTEGER,
): Schema<number> => ({
  parse(value, path) {
    const found = scalar(value, path, 'integer');
    if (!/^-?\d+$/.test(found))
      throw refused(`Invalid integer: ${found}`, path, 'parameter_invalid_integer');
    const number = Number(found);
    if (number < min) {
      const rule =
        min === 1 ? 'greater than or equal to 1' : min === 0 ? 'non-negative' : `at least ${min}`;
      throw refused(
        `Invalid ${min === 0 ? 'non-negative ' : ''}integer: must be ${rule}`,
        path,
        'parameter_invalid_integer',
      );
    }
    if (number > max)
      throw refused(`Invalid integer: must be at most ${max}`, path, 'parameter_invalid_integer');
    return number;
  },
});

/** Digits with up to twelve decimal places; kept as text, as it goes out again. */
export const decimal: Schema<string> = {
  parse(value, path) {
    const found = scalar(value, path, 'decimal');
    if (!/^\d+(\.\d{1,12})?$/.test(found))
      throw refused(`Invalid decimal: ${found}`, path, 'parameter_invalid_decimal');
    return found;
  },
};

export const bool: Schema<boolean> = {
  parse(value, path) {
    const found = scalar(value, path, 'boolean');
    if (found !== 'true' && found !== 'false') throw refused(`Invalid boolean: ${found}`, path);
    return found === 'true';
  },
};

export const oneOf = <const V extends readonly string[]>(...values: V): Schema<V[number]> => ({
  parse(value, path) {
    const found = scalar(value, path, 'string');
    if (!values.includes(found)) {
      const last = path.replaceAll(/^.*\[|\]$/g, '');
      throw refused(
        `Invalid ${last}: must be one of ${values.slice(0, -1).join(', ')}, or ${values.at(-1)}`,
        path,
      );
    }
    return found;
  },
});

export const url: Schema<string> = {
  parse(value, path) {
    const found = scalar(value, path, 'string');
    if (!URL.canParse(found) || !/^https?:\/\//i.test(found))
      throw refused('Not a valid URL', path, 'url_invalid');
    return found;
  },
};

export const email: Schema<string> = {
  parse(value, path) {
    const found = text(512).parse(value, path);
    if (!/^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(found))
      throw refused(`Invalid email address: ${found}`, path, 'email_invalid');
    return found;
  },
};

export const currency: Schema<string> = {
  parse(value, path) {
    const found = scalar(value, path, 'string').toLowerCase();
    if (!/^[a-z]{3}$/.test(found)) throw refused(`Invalid currency: ${found}.`, path);
    return found;
  },
};

/** The empty string unsets. */
export const emptyable = <T>(schema: Schema<T>): Schema<T | null> => ({
  parse: (value, path) => (value === '' ? null : schema.parse(value, path)),
});

export const list = <T>(schema: Schema<T>, max = 1000): Schema<T[]> => ({
  parse(value, path) {
    if (typeof value === 'string') throw refused('Invalid array', path);
    const keys = Object.keys(value);
    if (!keys.every((key) => /^\d+$/.test(key))) throw refused('Invalid array', path);
    if (keys.length > max) {
      throw refused(
        `Array ${path} exceeded maximum ${max} allowed elements.`,
        path,
        'array_too_long',
      );
    }
    return keys
      .sort((a, b) => Number(a) - Number(b))
      .map((key) => schema.parse(value[key] ?? '', `${path}[${key}]`));
  },
});

/** Metadata: an empty value deletes its key. */
export const metadata: Schema<Record<string, string>> = {
  parse(value, path) {
    if (typeof value === 'string') throw refused('Invalid object', path);
    const entries = Object.entries(value);
    if (entries.length > 50) throw refused('Metadata can have at most 50 keys.', path);
    return Object.fromEntries(
      entries.map(([key, entry]) => {
        const at = `${path}[${key}]`;
        if (typeof entry !== 'string')
          throw refused(`Invalid string: ${JSON.stringify(entry)}`, at);
        if (key.length > 40)
          throw refused(
            `Metadata keys can have up to 40 characters, but you passed in ${key.length}.`,
            at,
          );
        if (entry.length > 500) {
          throw refused(
            `Metadata values can have up to 500 characters, but you passed in a value that is ${entry.length} characters. Invalid value: ${entry}`,
            at,
          );
        }
        return [key, entry];
      }),
    );
  },
};

/** `unmodelled` names what Stripe takes and the stand-in does not: refused too, but with the true reason. */
export const object = <S extends Shape>(
  shape: S,
  unmodelled: readonly string[] = [],
): Schema<Parsed<S>> => ({
  parse(value, path) {
    if (typeof value === 'string') throw refused('Invalid object', path);
    return parseObject(shape, unmodelled, value, path);
  },
});

const parseObject = <S extends Shape>(
  shape: S,
  unmodelled: readonly string[],
  tree: ParamTree,
  path: string,
): Parsed<S> => {
  const named = (key: string): string => (path === '' ? key : `${path}[${key}]`);
  const strangers = Object.keys(tree).filter((key) => !Object.hasOwn(shape, key));
  const unknown = strangers.filter((key) => !unmodelled.includes(key)).map(named);
  const [first] = unknown;
  if (first !== undefined) {
    throw refused(
      `Received unknown parameter${unknown.length > 1 ? 's' : ''}: ${unknown.join(', ')}`,
      first,
      'parameter_unknown',
    );
  }
  const [later] = strangers;
  if (later !== undefined) throw notModelled(`The parameter ${named(later)}`, named(later));
  const parsed: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(shape)) {
    const value = tree[key];
    if (value !== undefined) parsed[key] = field.schema.parse(value, named(key));
    else if (field.required) throw missing(named(key));
  }
  return parsed as Parsed<S>;
};
