/** Malformed variants of an answer, as another version, a proxy or a bug may produce; the last variant is correct. */
export interface MalformedAnswer {
  name: string;
  status: number;
  contentType: string;
  body: string;
  /** If only one field is wrong, the screen has to show the rest. */
  wrong: 'nothing' | 'field' | 'all';
}

type Json = string | number | boolean | null | Json[] | { [field: string]: Json };

export function malformedAnswers(answer: unknown): MalformedAnswer[] {
  const good: Json = JSON.parse(JSON.stringify(answer));
  return [
    ...wholeAnswers(good),
    ...fieldsOf(good).flatMap(({ path, value }) =>
      others(value).map((other) => ({
        ...json(replaced(good, path, other)),
        name: `${path.join('.')} = ${other === undefined ? 'missing' : JSON.stringify(other)}`,
        wrong: 'field' as const,
      })),
    ),
    { ...json(withMore(good)), name: 'unknown fields', wrong: 'nothing' },
    { ...json(good), name: 'a correct answer', wrong: 'nothing' },
  ];
}

const HTML = '<!doctype html><title>502</title><h1>Bad gateway</h1>';
const html = { contentType: 'text/html', body: HTML };
const json = (value: unknown, status = 200) => ({
  status,
  contentType: 'application/json',
  body: JSON.stringify(value),
});

function wholeAnswers(good: Json): MalformedAnswer[] {
  const wrapped = Array.isArray(good) ? { data: good } : [good];
  const whole = {
    'an empty body': { status: 200, contentType: 'application/json', body: '' },
    '204': { status: 204, contentType: '', body: '' },
    'HTML instead of JSON': { status: 200, ...html },
    'half of the JSON': { ...json(good), body: JSON.stringify(good).slice(0, -2) },
    '500 in HTML': { status: 500, ...html },
    '404 with an object as its message': json({ message: { a: 1 }, errors: 'none' }, 404),
    ...Object.fromEntries(
      [null, true, 5, 'text', {}, [], [null], [5, 'text'], wrapped].map((other) => [
        JSON.stringify(other).slice(0, 40),
        json(other),
      ]),
    ),
  };
  return Object.entries(whole).map(([name, sent]) => ({ ...sent, name, wrong: 'all' }));
}

/** Wrong values for a field: missing, null, another type, or nonsense of the same type. */
function others(value: Json): (Json | undefined)[] {
  if (typeof value === 'string') return [undefined, null, { a: 'b' }, 'no such thing'];
  if (typeof value === 'number') return [undefined, null, 'text', -1.005];
  if (typeof value === 'boolean') return [undefined, null, 'yes'];
  if (Array.isArray(value)) return [undefined, null, 'text', [null]];
  if (value === null) return [undefined, 7, { a: 'b' }];
  return [undefined, null, 'text', []];
}

interface Field {
  path: string[];
  value: Json;
}

/** Every field at every depth; for lists, the fields of the first item. */
function fieldsOf(value: Json, path: string[] = []): Field[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value[0] === undefined ? [] : fieldsOf(value[0], [...path, '0']);
  return Object.entries(value).flatMap(([name, inner]) => [
    { path: [...path, name], value: inner },
    ...fieldsOf(inner, [...path, name]),
  ]);
}

function replaced(value: Json, [step, ...rest]: string[], other: Json | undefined): Json {
  if (step === undefined || typeof value !== 'object' || value === null) return other ?? null;
  if (Array.isArray(value)) return [replaced(value[0] ?? null, rest, other), ...value.slice(1)];
  const { [step]: inner = null, ...kept } = value;
  if (rest.length > 0) return { ...kept, [step]: replaced(inner, rest, other) };
  return other === undefined ? kept : { ...kept, [step]: other };
}

function withMore(value: Json): Json {
  if (Array.isArray(value)) return value.map(withMore);
  if (typeof value !== 'object' || value === null) return value;
  const inner = Object.entries(value).map(([name, given]) => [name, withMore(given)]);
  return { ...Object.fromEntries(inner), more: { of: [1, null] }, constructor: 'text' };
}
