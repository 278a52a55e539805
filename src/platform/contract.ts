/**
 * The contract of a call under /api: method, path, and one schema each for its body and its answer. The server checks
 * bodies with it and is held to its answers by the compiler, the browser reads answers with it, and GET /api/openapi.json
 * is made from it.
 */
import type * as z from 'zod/mini';

export type Schema = z.ZodMiniType;

export interface Contract<
  Body extends Schema | null = Schema | null,
  Answer extends Schema | null = Schema | null,
> {
  readonly method: 'GET' | 'POST';
  /** Such as '/api/orders/:id'; the caller fills in what begins with a colon. */
  readonly path: string;
  /** Null: the call takes no body. */
  readonly body: Body;
  /**
   * The server writes its input, where amounts are dollars; the browser reads its output, where they are cents.
   * `z.null()`: nothing comes back (204). Null: what comes back is no JSON, such as a file.
   */
  readonly answer: Answer;
}

/** `route`: method and path, such as 'GET /api/plans'. */
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
  /** The values of the path's parts that begin with a colon. */
  params?: Readonly<Record<string, string | number>>;
  query?: URLSearchParams;
}

/** Where the call is, such as '/api/orders/42?page=2'. */
export function callUrl(
  { path }: Pick<Contract, 'path'>,
  { params = {}, query }: UrlParts = {},
): string {
  const filled = path.replace(/:\w+/g, (part) => `${params[part.slice(1)]}`);
  return query?.size ? `${filled}?${query}` : filled;
}
