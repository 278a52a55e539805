import type { Feature } from '../site.server.ts';
import { readReplies } from './replies.server.ts';

export const mailboxFeature: Feature = { intervals: [readReplies] };
