import type { ReactNode } from 'react';

interface AdminPageLayoutProps {
  heading: string;
  lead?: string;
  actions?: ReactNode;
  children: ReactNode;
}

/** The layout of a staff page: wide and dense, with its buttons beside the heading. */
export function AdminPageLayout({ heading, lead, actions, children }: AdminPageLayoutProps) {
  return (
    <div className="mx-auto flex w-full max-w-[96rem] flex-col gap-5 px-4 py-6 sm:px-6 lg:py-8 panes:has-data-panes:h-full panes:has-data-panes:gap-3 panes:has-data-panes:py-4">
      {/* leading-10 is a button's height: the heading stays put from page to page. */}
      <div className="grid gap-x-6 sm:grid-cols-[minmax(0,1fr)_auto]">
        <h1 className="text-xl leading-10 tracking-[-0.02em]">{heading}</h1>
        {lead && <p className="text-sm sm:col-span-2">{lead}</p>}
        {actions && (
          <div className="flex flex-wrap gap-2 max-sm:mt-3 sm:col-start-2 sm:row-start-1">
            {actions}
          </div>
        )}
      </div>
      {children}
    </div>
  );
}
