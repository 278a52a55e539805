import { Notice } from '../../ui/notice.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useLines } from './use-logs.ts';

/** The lines as they are: what visitors sent stays text, one line each. */
export function RawLogs({ live }: { live: boolean }) {
  const { data: answer, error, isPending } = useLines(live);
  const lines = answer?.logs;
  return (
    <div className="grid grid-cols-1 gap-5">
      {error && <Notice kind="error">{error.message}</Notice>}
      <MissingLines until={answer?.linesMissingUntil} />
      {isPending && <Skeleton className="h-96 w-full" />}
      {lines === '' && <p className="py-12 text-center text-sm">No logs available</p>}
      {lines && (
        <section
          aria-label="Raw Logs"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          tabIndex={0}
          className="on-night max-h-[75vh] overflow-auto rounded-card"
        >
          <pre className="w-max min-w-full p-4 font-mono text-xs leading-5">{lines}</pre>
        </section>
      )}
    </div>
  );
}

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
