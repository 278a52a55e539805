import * as z from 'zod/mini';
import { fallback } from '../platform/schema.ts';

/** The id of the panel's element. */
export const PANEL = 'chat-panel';

export const STORED = 'chat-panel';
/** What a page leaves for the next one. */
export const storedPanel = z.object({ open: z.boolean(), draft: fallback(z.string(), '') });
