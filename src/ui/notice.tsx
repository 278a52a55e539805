import CircleAlert from 'lucide-react/icons/circle-alert';
import CircleCheck from 'lucide-react/icons/circle-check';
import Info from 'lucide-react/icons/info';
import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';

const KINDS = {
  error: { Icon: CircleAlert, look: 'border-danger/30 bg-danger-soft text-danger' },
  warning: { Icon: TriangleAlert, look: 'border-amber/30 bg-amber-soft text-amber' },
  info: { Icon: Info, look: 'border-edge/40 bg-paper-deep text-ink' },
  success: { Icon: CircleCheck, look: 'border-primary/25 bg-primary-soft text-primary-deep' },
};

interface NoticeProps {
  kind: keyof typeof KINDS;
  className?: string;
  children: ReactNode;
}

/** A message that stays on the page. Screen readers announce errors at once, others politely. */
export function Notice({ kind, className = '', children }: NoticeProps) {
  const { Icon, look } = KINDS[kind];
  return (
    <div
      role={kind === 'error' ? 'alert' : 'status'}
      className={`flex gap-3 rounded-control border px-4 py-3 text-sm max-[18rem]:gap-2 max-[18rem]:px-2 ${look} ${className}`}
    >
      <Icon className="mt-0.5 size-5 shrink-0" />
      <div className="min-w-0 wrap-anywhere">{children}</div>
    </div>
  );
}
