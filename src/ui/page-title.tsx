import type { ReactNode } from 'react';
import { Container } from './container.tsx';

interface PageTitleProps {
  title: string;
  lead?: string;
  /** Small print above the title. */
  above?: ReactNode;
  /** What follows the lead. */
  children?: ReactNode;
}

/** The head of every page but the home page: under the navbar, on warm ground. */
export function PageTitle({ title, lead, above, children }: PageTitleProps) {
  return (
    <div className="bg-paper pt-navbar">
      <Container className="py-12 lg:py-20">
        {above && <div className="mb-4 text-sm">{above}</div>}
        <h1 className="max-w-4xl text-2xl tracking-[-0.03em] lg:text-3xl">{title}</h1>
        {lead && <p className="mt-5 max-w-2xl text-lg">{lead}</p>}
        {children}
      </Container>
    </div>
  );
}
