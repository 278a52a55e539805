import * as z from 'zod/mini';
import { LONGEST_PASSWORD, usernameField } from '../platform/fields.ts';

const NO_PASSWORD = 'Password is required';

export const signInRequest = z.strictObject({
  username: usernameField(),
  password: z
    .string(NO_PASSWORD)
    .check(
      z.minLength(1, NO_PASSWORD),
      z.maxLength(LONGEST_PASSWORD, `Please use at most ${LONGEST_PASSWORD} characters`),
    ),
});

/** What the sign-in page shows while it opens the staff area. */
export type DemoCredentials = z.output<typeof signInRequest>;
