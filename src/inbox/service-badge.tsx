import { serviceLabel } from '../contact/service-label.ts';
import { Badge } from '../ui/badge.tsx';

/** The service's label; a value that is not offered any more stands as it is. */
export function ServiceBadge({ service }: { service: string | null }) {
  if (!service) return <span className="text-muted">Not specified</span>;
  return (
    <Badge>
      <bdi className="truncate">{serviceLabel(service) ?? service}</bdi>
    </Badge>
  );
}
