import * as z from 'zod/mini';
import { singleLine } from '../platform/fields.ts';

/** POST /api/admin/login. Capped, or a long password would be a way to keep the server busy. */
export const signInRequest = z.strictObject({
  username: singleLine({ min: 1, max: 100, tooShort: 'Username is required' }),
  password: z.string().check(z.minLength(1, 'Password is required'), z.maxLength(1000)),
});
