/** What is answered to a contact message, and how its fields are read. */
import * as z from 'zod/mini';
import { moment, rowId } from '../platform/json-shapes.ts';
import { or, text } from '../platform/read.ts';
import type { ContactValues } from './contact-fields.ts';

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

/** Reads its fields; what an answer does not say is as it was typed, where that is known. */
export const contactReaders = (typed: Partial<ContactValues> = {}) => ({
  name: or(text, typed.name ?? ''),
  email: or(text, typed.email ?? ''),
  phone: or(text, typed.phone || null),
  service: or(text, typed.service || null),
  message: or(text, typed.message ?? ''),
});

export const contactAnswer = z.strictObject({
  contact: contactJson,
  /** Such as 'C-42'. */
  reference: z.string(),
});

export type ContactAnswer = z.output<typeof contactAnswer>;
