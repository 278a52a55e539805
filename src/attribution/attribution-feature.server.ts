import type { Feature } from '../site.server.ts';
import { sourceCalls } from './sources.server.ts';

export const attributionFeature: Feature = {
  calls: [sourceCalls],
};
