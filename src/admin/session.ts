/** The sessions that staff have open. */
import * as z from 'zod/mini';
import { count, moment } from '../platform/json-shapes.ts';

const openSession = z.strictObject({
  /** Names the session to the call that ends it. */
  key: z.string(),
  signedInAt: moment,
  lastSeenAt: moment,
  /** Shortened. */
  address: z.string(),
  userAgent: z.string(),
  /** Whether it is the session that asks. */
  current: z.boolean(),
});
export type OpenSession = z.output<typeof openSession>;

export const openSessions = z.array(openSession);
export const endedSessions = z.strictObject({ ended: count });
