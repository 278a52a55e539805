/** What the answers of several calls are made of. */
import * as z from 'zod/mini';

export const rowId = z.int().check(z.minimum(1));
export const count = z.int().check(z.minimum(0));
/** ISO 8601, in UTC. */
export const moment = z.iso.datetime();
