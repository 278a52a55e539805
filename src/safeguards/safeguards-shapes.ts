/** What travels when the report is asked for by email. Nothing in it is a visitor's own words but the address. */
import * as z from 'zod/mini';
import { emailField } from '../platform/fields.ts';
import { ANSWERS, NOTHING_ANSWERED } from './score.ts';

/** Far more than there are questions. */
const MOST_ANSWERS = 60;

/** By the ids of the questions; one that the server does not know is refused by the call. */
export const answersShape = z.record(z.string().check(z.maxLength(20)), z.enum(ANSWERS)).check(
  z.refine((answers) => Object.keys(answers).length > 0, NOTHING_ANSWERED),
  z.refine((answers) => Object.keys(answers).length <= MOST_ANSWERS, 'There are too many answers'),
);

export const reportRequest = z.strictObject({
  email: emailField(),
  answers: answersShape,
  /** Text in a field that people do not see (ui/fields/hidden-field) comes from a program. */
  website: z.optional(z.string().check(z.maxLength(2_000))),
});

export const reportSent = z.strictObject({ sent: z.boolean() });
