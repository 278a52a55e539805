import { Notice } from '../ui/notice.tsx';

/** Which lines the raw logs and the export do not have; nothing when they have all. */
export function MissingLines({ until }: { until: string | null | undefined }) {
  if (!until) return null;
  const at = new Date(until).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <Notice kind="info">
      All requests are counted, but some up to {at} have no line in Raw Logs and the CSV: the log
      had reached its size limit, or the database was away.
    </Notice>
  );
}
