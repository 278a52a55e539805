import { SERVICE_CHOICES } from '../contact/service-choices.ts';
import { Badge } from '../ui/badge.tsx';

const LABELS: Readonly<Record<string, string>> = SERVICE_CHOICES;

/** The service's label; a value that is not offered any more stands as it is. */
export function ServiceBadge({ service }: { service: string | null }) {
  if (!service) return <span className="text-muted">Not specified</span>;
  return (
    <Badge>
      <bdi className="truncate">{LABELS[service] ?? service}</bdi>
    </Badge>
  );
}
