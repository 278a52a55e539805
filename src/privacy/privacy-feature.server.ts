import type { Feature } from '../site.server.ts';
import { keepMessages } from './expire-messages.server.ts';
import { personCalls } from './person-calls.server.ts';

export const privacyFeature: Feature = {
  calls: [personCalls],
  intervals: [keepMessages],
};
