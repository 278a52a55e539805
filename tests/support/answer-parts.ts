/** Of what answers are made. */
import * as z from 'zod/mini';

export const dollars = z.number().check(z.minimum(0));
export const count = z.int().check(z.minimum(0));
export const id = z.int().check(z.minimum(1));
export const time = z.iso.datetime();
export const mark = z.enum(['new', 'answered', 'spam']);
export const marks = z.strictObject({ new: count, answered: count, spam: count });
