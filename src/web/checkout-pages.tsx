/** The pages of the checkout's document, as the browser hydrates them. */
import type { ReactNode } from 'react';
import type { CheckoutDocument } from '../checkout/checkout-data.ts';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { PageFailure } from '../ui/page-failure.tsx';
import { findPage } from './page-modules.ts';

/** A page takes the document's data, as CheckoutDocument has it for the page's name. */
type Page = (props: { data: unknown }) => ReactNode;

const MODULES = import.meta.glob<{ default: Page }>([
  '/src/checkout/checkout-page.tsx',
  '/src/own-page/order-page.tsx',
  '/src/quotes/quote-page.tsx',
]);

export const findCheckoutPage = (name: CheckoutDocument['page']) => findPage(MODULES, name);

export interface CheckoutContentProps {
  data: CheckoutDocument;
  Page: Page;
}

export function CheckoutContent({ data, Page }: CheckoutContentProps) {
  return (
    <FailureBoundary fallback={<PageFailure />}>
      <Page data={data} />
    </FailureBoundary>
  );
}
