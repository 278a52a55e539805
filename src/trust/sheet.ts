/** Documents about the company, from content/trust. The shipped ones are examples. */
import * as z from 'zod/mini';
import { line } from '../platform/schema.ts';

/** File names in content/trust, and paths of the pages. */
export const SHEET_NAMES = ['trust', 'ten-questions', 'sample-report', 'sample-evidence'] as const;

const lines = () => z.array(line()).check(z.minLength(1));

const block = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: line() }),
  z.strictObject({ kind: z.literal('list'), items: lines() }),
  /** How soon a person answers first, once that can be said. */
  z.strictObject({ kind: z.literal('first-answers') }),
  z.strictObject({ kind: z.literal('facts'), rows: z.array(z.tuple([line(), line()])) }),
  z.strictObject({
    kind: z.literal('figures'),
    figures: z.array(z.strictObject({ value: line(), label: line(), note: line() })),
  }),
  z
    .strictObject({
      kind: z.literal('table'),
      caption: line(),
      columns: lines(),
      rows: z.array(lines()),
    })
    .check(
      z.refine(
        ({ columns, rows }) => rows.every((row) => row.length === columns.length),
        'a row has more or fewer cells than there are columns',
      ),
    ),
  z.strictObject({
    kind: z.literal('links'),
    links: z.array(
      z.strictObject({
        label: line(),
        href: line().check(
          z.regex(/^(https:\/\/|\/(?![/\\]))/, 'expected an address of https or of this site'),
        ),
      }),
    ),
  }),
]);

export const sheetSchema = z.strictObject({
  title: line(),
  description: line(),
  lead: line(),
  updated: z.iso.date(),
  /** The warning above made-up figures; null where everything is true. */
  sample: z.nullable(line()),
  numbered: z._default(z.boolean(), false),
  sections: z
    .array(
      z.strictObject({
        id: z.string().check(z.regex(/^[a-z-]+$/, 'expected small letters and hyphens')),
        heading: line(),
        blocks: z.array(block).check(z.minLength(1)),
      }),
    )
    .check(z.minLength(1)),
});

export type SheetContent = z.output<typeof sheetSchema> & { name: string };

export type SheetBlock = z.infer<typeof block>;
