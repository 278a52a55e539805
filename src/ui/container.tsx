import type { ReactNode } from 'react';

/** The one measure of the page: what stands in it lines up from the logo to the footer. */
export function Container({
  className = '',
  children,
}: {
  className?: string;
  children: ReactNode;
}) {
  return (
    <div className={`mx-auto w-full max-w-page px-5 sm:px-8 lg:px-10 ${className}`}>{children}</div>
  );
}
