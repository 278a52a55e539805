import type { ReactNode } from 'react';

interface WorkbenchProps {
  heading: string;
  lead?: string;
  /** The page's buttons. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page of staff: wide, close-set, its actions beside its heading. */
export function Workbench({ heading, lead, actions, children }: WorkbenchProps) {
  return (
    <div className="mx-auto grid w-full grid-cols-1 max-w-[96rem] gap-5 px-4 py-6 sm:px-6 lg:py-8">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div>
          <h1 className="text-xl tracking-[-0.02em]">{heading}</h1>
          {lead && <p className="text-sm">{lead}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  );
}
