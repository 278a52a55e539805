/** What is answered to a contact message. */
import * as z from 'zod/mini';
import { moment, rowId } from '../platform/json-shapes.ts';

export const contactJson = z.strictObject({
  id: rowId,
  name: z.string(),
  email: z.string(),
  phone: z.nullable(z.string()),
  service: z.nullable(z.string()),
  message: z.string(),
  createdAt: moment,
});

export type ContactJson = z.output<typeof contactJson>;

export const contactAnswer = z.strictObject({
  contact: contactJson,
  /** Such as 'C-42'. */
  reference: z.string(),
});

export type ContactAnswer = z.output<typeof contactAnswer>;
