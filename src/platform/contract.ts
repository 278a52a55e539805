/** A call under /api: method, path, and the schemas that both sides and openapi.json share. */
import type * as z from 'zod/mini';

export type Schema = z.ZodMiniType;

export interface Contract<
  Body extends Schema | null = Schema | null,
  Answer extends Schema | null = Schema | null,
> {
  readonly method: 'GET' | 'POST';
  /** '/api/orders/:id', for example; the caller fills in the parts that begin with a colon. */
  readonly path: string;
  /** Null: the call takes no body. */
  readonly body: Body;
  /** The server sends its input (dollars), the browser reads its output. `z.null()`: 204. */
  readonly answer: Answer;
}

/** `route`: method and path, as in 'GET /api/plans'. */
export function contract<Body extends Schema | null = null, Answer extends Schema | null = null>(
  route: `${'GET' | 'POST'} /api/${string}`,
  schemas: { body?: Body; answer?: Answer } = {},
): Contract<Body, Answer> {
  const [method, path = ''] = route.split(' ');
  return {
    method: method === 'GET' ? 'GET' : 'POST',
    path,
    body: (schemas.body ?? null) as Body,
    answer: (schemas.answer ?? null) as Answer,
  };
}

export interface UrlParts {
  /** Values for the parts of the path that begin with a colon. */
  params?: Readonly<Record<string, string | number>>;
  query?: URLSearchParams;
}

/** The call's URL, relative to the site: '/api/orders/42?page=2'. */
export function callUrl(
  { path }: Pick<Contract, 'path'>,
  { params = {}, query }: UrlParts = {},
): string {
  const filled = path.replace(/:\w+/g, (part) => `${params[part.slice(1)]}`);
  return query?.size ? `${filled}?${query}` : filled;
}
