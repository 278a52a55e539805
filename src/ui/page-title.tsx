import type { ReactNode } from 'react';
import { Container } from './layout.tsx';

interface PageTitleProps {
  title: string;
  lead?: string;
  above?: ReactNode;
  children?: ReactNode;
  picture?: ReactNode;
}

/** The heading area of every page except the home page. */
export function PageTitle({ title, lead, above, children, picture }: PageTitleProps) {
  const [size, space] = picture
    ? ['text-2xl', '']
    : ['text-2xl lg:text-[3.375rem]', 'lg:pt-16 lg:pb-12'];
  return (
    <div className="bg-paper pt-navbar print:pt-0">
      <Container
        className={`grid items-center gap-x-8 gap-y-8 pt-6 pb-8 lg:grid-cols-12 ${space} print:pt-2 print:pb-4`}
      >
        <div className={`min-w-0 ${picture ? 'lg:col-span-7' : 'lg:col-span-9'}`}>
          {above && <div className="mb-4 text-sm">{above}</div>}
          <h1 className={`${size} tracking-[-0.03em]`}>{title}</h1>
          {lead && <p className="mt-4 max-w-2xl text-lg">{lead}</p>}
          {children}
        </div>
        {picture && <div className="min-w-0 lg:col-span-5">{picture}</div>}
      </Container>
    </div>
  );
}
