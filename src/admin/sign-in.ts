import * as z from 'zod/mini';

/** POST /api/admin/login. Capped, or a long password would be a way to keep the server busy. */
export const signInRequest = z.strictObject({
  username: z.string().check(z.minLength(1, 'Username is required'), z.maxLength(100)),
  password: z.string().check(z.minLength(1, 'Password is required'), z.maxLength(1000)),
});
