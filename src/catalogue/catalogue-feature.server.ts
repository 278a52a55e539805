import type { Feature } from '../site.server.ts';
import { catalogueCalls } from './live-catalogue.server.ts';

export const catalogueFeature: Feature = {
  calls: [catalogueCalls],
  intervals: [({ catalogue }) => catalogue.reading()],
};
