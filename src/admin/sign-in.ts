import * as z from 'zod/mini';
import { singleLine } from '../platform/fields.ts';

/** Capped, or a long password would be a way to keep the server busy. */
export const LONGEST_PASSWORD = 1000;

/** POST /api/admin/login */
export const signInRequest = z.strictObject({
  username: singleLine({ min: 1, max: 100, tooShort: 'Username is required' }),
  password: z.string().check(z.minLength(1, 'Password is required'), z.maxLength(LONGEST_PASSWORD)),
});

/** What the sign-in page shows while it opens the staff area. */
export interface DemoCredentials {
  username: string;
  password: string;
}
