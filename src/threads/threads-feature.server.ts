import type { Feature } from '../site.server.ts';

export const threadsFeature: Feature = {
  intervals: [({ events }) => events.reading],
};
