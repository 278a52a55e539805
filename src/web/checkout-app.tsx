/** The checkout document: a frame of its own, so that it has the content policy that payments need. */
import type { CheckoutDocument } from '../checkout/checkout-data.ts';
import { TrustBadges } from '../checkout/trust-badges.tsx';
import { Navbar } from '../company/navbar.tsx';
import { PageFrame } from './page-frame.tsx';

/** The modules of the pages that are about to be drawn: the browser draws one, and does without the others. */
export async function loadPages(wanted: readonly CheckoutDocument['page'][]) {
  const isWanted = (page: CheckoutDocument['page']) => wanted.includes(page) || undefined;
  return {
    checkout: isWanted('checkout') && (await import('../checkout/checkout-page.tsx')),
    order: isWanted('order') && (await import('../account/order-page.tsx')),
    quote: isWanted('quote') && (await import('../quotes/quote-page.tsx')),
  };
}

interface CheckoutAppProps {
  data: CheckoutDocument;
  pages: Awaited<ReturnType<typeof loadPages>>;
}

/** As high as the screen, so that no foot is seen to move when an order comes; with room for the chat's button. */
const MAIN = 'min-h-dvh bg-surface lg:pr-14 min-[92rem]:pr-0 print:min-h-0 print:pr-0';

export function CheckoutApp({ data, pages }: CheckoutAppProps) {
  const { checkout, order, quote } = pages;
  return (
    <PageFrame
      site={data.site}
      navbar={<Navbar startHref={data.page === 'checkout' ? '' : '/checkout'} />}
      footer={<TrustBadges />}
      mainClass={MAIN}
    >
      {data.page === 'checkout' && checkout && <checkout.CheckoutPage data={data} />}
      {data.page === 'order' && order && (
        <order.OrderPage provider={data.provider} mail={data.receipts} />
      )}
      {data.page === 'quote' && quote && <quote.QuotePage {...data} />}
    </PageFrame>
  );
}
