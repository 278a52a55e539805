import { Badge } from '../../ui/badge.tsx';
import { QUOTE_LABELS } from '../quote-states.ts';
import type { ToldQuoteRow } from '../read-quote.ts';

const TONES = {
  open: 'amber',
  accepted: 'primary',
  expired: 'neutral',
  withdrawn: 'neutral',
} as const;

/** Where it stands, and beside it whether its customer has looked at it, while that still matters. */
export function QuoteBadge({ quote: { state, opened } }: { quote: ToldQuoteRow }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-1.5">
      {state && <Badge tone={TONES[state]}>{QUOTE_LABELS[state]}</Badge>}
      {state === 'open' && opened > 0 && <Badge>Viewed</Badge>}
    </span>
  );
}
