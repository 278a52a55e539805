/** What visitors feel, by the browser's own measures: https://web.dev/articles/vitals. */
import * as z from 'zod/mini';
import { contract } from '../platform/contract.ts';
import { count, fallback, list } from '../platform/schema.ts';

/** An hour, and far more than a page can shift. */
const measure = (most: number) => z.nullable(z.int().check(z.minimum(0), z.maximum(most)));
const MS = 3_600_000;

/** One page view; null: the browser has not measured it. Nothing of a person. */
export const REPORT_VITALS = contract('POST /api/web-vitals', {
  body: z.strictObject({
    page: z.string().check(z.regex(/^\/[\x21-\x7e]{0,199}$/)),
    lcp: measure(MS),
    inp: measure(MS),
    /** In thousandths. */
    cls: measure(1_000_000),
  }),
  answer: z.null(),
});

export type Vitals = Omit<z.output<typeof REPORT_VITALS.body>, 'page'>;

const value = fallback(z.nullable(z.number()), null);

/** By page, the value that 75 of 100 views of the last 28 days were not worse than. */
export const pageVitals = list(
  z.object({
    page: z.string(),
    /** Page views that were measured. */
    views: count,
    /** Milliseconds until the largest paint. */
    lcp: value,
    /** Milliseconds from the slowest press to what it showed. */
    inp: value,
    /** How much the layout shifted by itself: a share of the screen. */
    cls: value,
  }),
);
