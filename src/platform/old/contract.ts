/**
 * The contract of a call under /api: method and path as the text itself, the shapes of its body and its answer as types
 * only. The server's handler and the browser's caller are both checked against it, and no schema comes with it to the
 * browser. Parts of the path that begin with a colon are filled in by the caller.
 */
import type * as z from 'zod/mini';

declare const shapes: unique symbol;

/** Null: the call takes no body. */
type BodySchema = z.ZodMiniType | null;

export type Contract<
  Body extends BodySchema = null,
  Answer extends z.ZodMiniType = never,
> = `${'GET' | 'POST'} /api/${string}` & { readonly [shapes]?: { body: Body; answer: Answer } };

export interface Address {
  /** What stands in the place of the path's parts that begin with a colon. */
  params?: Readonly<Record<string, string | number>>;
  query?: URLSearchParams;
}

/** Where the call is, such as '/api/orders/42?page=2'. */
export function addressOf(
  contract: Contract<BodySchema, z.ZodMiniType>,
  { params = {}, query }: Address = {},
): string {
  const path = contract
    .slice(contract.indexOf('/'))
    .replace(/:\w+/g, (part) => `${params[part.slice(1)]}`);
  return query?.size ? `${path}?${query}` : path;
}
