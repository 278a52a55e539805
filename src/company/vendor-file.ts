/** What a customer's yearly assessment of its providers asks about us, from vendor-file.json. */
import * as z from 'zod/mini';
import { line } from '../platform/schema.ts';

const rows = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.array(z.strictObject(shape)).check(z.minLength(1));

/** A function, so that bundlers drop it for browsers. */
export const vendorFileSchema = () =>
  z.strictObject({
    updated: z.iso.date(),
    /** The warning above an example; null once a lawyer has checked it. */
    sample: z.nullable(line()),
    /** By roles, not names. */
    access: rows({ role: line(), reaches: line(), secondFactor: line() }),
    insurance: rows({ cover: line(), insurer: line(), limit: line(), through: z.iso.date() }),
    subprocessors: rows({ name: line(), does: line() }),
    breach: z.strictObject({ hours: z.int().check(z.minimum(1)), how: line() }),
    dataAtEnd: z.strictObject({
      days: z.int().check(z.minimum(1)),
      /** In words, such as 'CSV and PDF'. */
      formats: z.pipe(
        z.array(line()).check(z.minLength(1)),
        z.transform((all) => new Intl.ListFormat('en-US').format(all)),
      ),
      afterwards: line(),
    }),
  });
export type VendorFile = z.output<ReturnType<typeof vendorFileSchema>>;

/** What a text must say as well, in these words, so that no two promises differ. */
export function vendorErrors(file: VendorFile | undefined, text: string | undefined): string[] {
  if (!file || text === undefined) return [];
  const { breach, dataAtEnd } = file;
  return [
    `within ${breach.hours} hours`,
    `within ${dataAtEnd.days} days`,
    `as ${dataAtEnd.formats}`,
  ]
    .filter((promise) => !text.includes(promise))
    .map((promise) => `does not say “${promise}” as vendor-file.json does`);
}
