import type { Feature } from '../site.server.ts';
import { deleteOldReports, safeguardsReport, sendReport } from './email-report.server.ts';

export const safeguardsFeature: Feature = {
  calls: [sendReport],
  intervals: [deleteOldReports],
  notifications: [safeguardsReport],
};
