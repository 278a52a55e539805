import * as z from 'zod/mini';
import { singleLine } from '../platform/fields.ts';

export const NO_USERNAME = 'Username is required';
export const NO_PASSWORD = 'Password is required';

/** POST /api/admin/login. Capped, or a long password would be a way to keep the server busy. */
export const signInRequest = z.strictObject({
  username: singleLine({ min: 1, max: 100, tooShort: NO_USERNAME }),
  password: z.string().check(z.minLength(1, NO_PASSWORD), z.maxLength(1000)),
});

/** What the sign-in page shows while it opens the staff area. */
export interface DemoCredentials {
  username: string;
  password: string;
}
