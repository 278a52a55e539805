import type { Feature } from '../site.server.ts';
import { accessLogCalls } from './access-log.server.ts';
import { trimLog } from './trim-access-log.server.ts';
import { webVitalsCalls } from './web-vitals.server.ts';

export const accessLogFeature: Feature = {
  calls: [accessLogCalls, webVitalsCalls],
  intervals: [trimLog],
};
