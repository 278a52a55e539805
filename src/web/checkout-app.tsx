/** The checkout document: a frame of its own, so that it has the content policy that payments need. */
import { QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, useState } from 'react';
import { ChatWidget } from '../chat/chat-widget.tsx';
import type { CheckoutDocument } from '../checkout/checkout-data.ts';
import { TrustBadges } from '../checkout/trust-badges.tsx';
import { Navbar } from '../company/navbar.tsx';
import type { Provider } from '../orders/payment.ts';
import type { CardFormProps } from '../payments/replace-card-form.tsx';
import { newQueryClient } from '../platform/browser/query-client.ts';
import { SiteProvider } from '../platform/site.ts';
import { FailureBoundary, lazyPart } from '../ui/failure-boundary.tsx';
import { useMarkReady } from '../ui/mark-ready.ts';
import { PageFailure } from '../ui/page-failure.tsx';
import { Toaster } from '../ui/toast/toaster.tsx';

/** Loaded when somebody replaces a card. */
const ReplaceCardForm = lazyPart(
  async () => (await import('../payments/replace-card-form.tsx')).ReplaceCardForm,
);
const CARD_FORMS: Record<Provider, ComponentType<CardFormProps>> = {
  test: (props) => <ReplaceCardForm {...props} provider="test" />,
  stripe: (props) => <ReplaceCardForm {...props} provider="stripe" />,
};

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

export function CheckoutApp({ data, pages }: CheckoutAppProps) {
  const [queryClient] = useState(newQueryClient);
  useMarkReady();
  return (
    <SiteProvider value={data.site}>
      <QueryClientProvider client={queryClient}>
        <a href="#main" className="skip-link">
          Skip to content
        </a>
        <Navbar startHref={data.page === 'checkout' ? '' : '/checkout'} />
        {/* As high as the screen, so that no foot is seen to move when an order comes; with room for the chat's button. */}
        <main
          id="main"
          tabIndex={-1}
          className="min-h-dvh bg-surface lg:pr-14 min-[92rem]:pr-0 print:min-h-0 print:pr-0"
        >
          <FailureBoundary fallback={<PageFailure />}>
            {data.page === 'checkout'
              ? pages.checkout && <pages.checkout.CheckoutPage data={data} />
              : data.page === 'order'
                ? pages.order && (
                    <pages.order.OrderPage
                      provider={data.provider}
                      mail={data.receipts}
                      CardForm={CARD_FORMS[data.provider]}
                    />
                  )
                : pages.quote && <pages.quote.QuotePage {...data} />}
          </FailureBoundary>
        </main>
        <TrustBadges />
        <ChatWidget />
        <Toaster />
      </QueryClientProvider>
    </SiteProvider>
  );
}
