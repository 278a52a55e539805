import type * as z from 'zod/mini';
import { parseJson } from '../schema.ts';

/** What the server put into this document for its script; undefined when it is not what the script expects. */
export function readPageData<Data>(schema: z.ZodMiniType<Data>): Data | undefined {
  const json = parseJson(document.getElementById('page-data')?.textContent ?? '');
  return schema.safeParse(json).data;
}
