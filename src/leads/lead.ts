/** Where a customer came from, as the first request of their tab says. */
import * as z from 'zod/mini';
import { fallback, textOrNull } from '../platform/schema.ts';

/** Beside a message, quote or order on staff's screens; null if nothing is known. */
export const leadView = fallback(
  z._default(
    z.nullable(
      z.object({
        /** The label under which it is counted. */
        label: z.string(),
        medium: textOrNull,
        campaign: textOrNull,
        host: textOrNull,
        page: textOrNull,
      }),
    ),
    null,
  ),
  null,
);
export type LeadView = NonNullable<z.output<typeof leadView>>;
