import { Notice } from '../../ui/notice.tsx';

/** Which lines the raw logs and the export do not have; nothing when they have all. */
export function MissingLines({ until }: { until: string | null | undefined }) {
  if (!until) return null;
  const at = new Date(until).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <Notice kind="info">
      Some requests up to {at} are missing from Raw Logs and the CSV because the log reached its
      size limit or the database was unavailable. The totals still count them.
    </Notice>
  );
}
