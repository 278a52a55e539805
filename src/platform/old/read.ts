/**
 * What comes from outside (an answer, the tab's storage, data in the page) is read and not trusted: a reader gives the
 * thing, or undefined for a value that is no such thing. By hand, since a schema library weighs more than the home page
 * can bear.
 */
export type Reader<Thing> = (value: unknown) => Thing | undefined;

export const text: Reader<string> = (value) => (typeof value === 'string' ? value : undefined);

/** Never infinite: `1e999` is JSON. */
export const number: Reader<number> = (value) =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;

export const flag: Reader<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);

/** The number of a row: a whole one from 1 on. */
export const id: Reader<number> = (value) =>
  Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : undefined;

export function oneOf<const Value extends string>(values: readonly Value[]): Reader<Value> {
  return (value) => values.find((each) => each === value);
}

/** What stands in for a thing that is missing or makes no sense. */
export function or<Thing, Otherwise>(
  read: Reader<Thing>,
  otherwise: Otherwise,
): (value: unknown) => Thing | Otherwise {
  return (value) => read(value) ?? otherwise;
}

export function nullable<Thing>(read: Reader<Thing>): Reader<Thing | null> {
  return (value) => (value === null ? null : read(value));
}

/** Items that make no sense are left out; a list in which none of them does is no such list. */
export function list<Item>(read: Reader<Item>): Reader<Item[]> {
  return (value) => {
    if (!Array.isArray(value)) return undefined;
    const items = value.map(read).filter((item) => item !== undefined);
    return items.length > 0 || value.length === 0 ? items : undefined;
  };
}

/** An object with these fields and no others; not read at all when one without a stand-in makes no sense. */
export function fields<Thing extends object>(
  readers: {
    [Field in keyof Thing]-?: Reader<Thing[Field]>;
  },
): Reader<Thing> {
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const given: Record<string, unknown> = { ...value };
    const thing: Partial<Thing> = {};
    for (const field in readers) {
      const read = readers[field](given[field]);
      if (read === undefined) return undefined;
      thing[field] = read;
    }
    // Every field has been read by now, which the compiler cannot follow.
    return thing as Thing;
  };
}

/** Undefined for what is no JSON. */
export function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
