/** Above the list of the inbox: what is new, what did not arrive, what a number belongs to. */
import { useQuery } from '@tanstack/react-query';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import { Link } from 'wouter';
import { LIST_OUTBOX } from '../notifications/outbox-api.ts';
import { callQuery } from '../platform/browser/query-client.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { Badge } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { usePress } from '../ui/presses.ts';
import { COUNT_INBOX, type Related } from './inbox-api.ts';
import { LOADED_AT, useNewsSince } from './inbox-queries.ts';

interface UndeliveredProps {
  /** Answers. */
  failed: number;
  trying: number;
  /** The list has these alone. */
  shown: boolean;
  onShow: () => void;
}

/** What did not arrive, in one line above the list. */
export function Undelivered({ failed, trying, shown, onShow }: UndeliveredProps) {
  const { data: outbox } = useQuery({
    ...callQuery(LIST_OUTBOX),
    meta: { inBackground: true },
  });
  const notices = outbox ? outbox.failed + outbox.waiting : 0;
  const words = [
    failed > 0 && `${inWords(failed, 'answer')} did not arrive`,
    trying > 0 && `${failed > 0 ? trying : inWords(trying, 'answer')} still trying`,
    notices > 0 && `${inWords(notices, 'notice')} not delivered`,
  ].filter(Boolean);
  if (words.length === 0 && !shown) return null;
  return (
    <div className="mr-auto flex min-w-0 items-center gap-2 text-xs text-danger">
      <TriangleAlert className="size-4 shrink-0" />
      <span className="min-w-0 truncate max-sm:sr-only in-data-compact:sr-only">
        {words.join(', ') || 'Everything has been delivered'}
      </span>
      <span aria-hidden="true" className="hidden tabular-nums max-sm:inline in-data-compact:inline">
        {failed + trying + notices}
      </span>
      <Button variant="quiet" size="row" aria-pressed={shown} onClick={onShow}>
        {shown ? 'Show all' : 'Show'}
      </Button>
    </div>
  );
}

const inWords = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** The order or quote with the number that was searched for. */
export function SaleFound({ sale: { reference, path, about, badge } }: { sale: Related }) {
  return (
    <Link href={path} className="flex min-h-10 min-w-0 flex-1 items-center gap-2 text-sm">
      <span className="shrink-0 font-medium text-ink tabular-nums underline underline-offset-4">
        {reference}
      </span>
      <bdi className="min-w-0 truncate">{about}</bdi>
      {badge && <Badge tone={badge.tone}>{badge.label}</Badge>}
    </Link>
  );
}

/** How many visitors have written since the list was loaded. */
export function ShowNews({ onShow }: { onShow: (since: number) => Promise<void> }) {
  const { data: loadedAt } = useQuery({
    queryKey: LOADED_AT,
    queryFn: async ({ signal }) => (await fetchCall(COUNT_INBOX, { signal })).at,
    meta: { inBackground: true },
  });
  const news = useNewsSince(loadedAt);
  const showing = usePress({ mutationFn: onShow });
  return (
    <span role="status">
      {news > 0 && (
        <Button
          variant="quiet"
          size="row"
          busy={showing.isPending}
          onClick={() => showing.mutate(loadedAt ?? 0)}
        >
          {`Show ${news} new`}
        </Button>
      )}
    </span>
  );
}
