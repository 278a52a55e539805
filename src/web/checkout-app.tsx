/** The checkout's document: a payment provider needs a wider Content-Security-Policy. */
import ShieldCheck from 'lucide-react/icons/shield-check';
import { Navbar } from '../company/navbar.tsx';
import { CHECKOUT_PAGES, CONTENT_PATHS } from '../routes.ts';
import { Island } from '../ui/island.tsx';
import { Container } from '../ui/layout.tsx';
import { CheckoutContent, type CheckoutContentProps } from './checkout-pages.tsx';
import { PageFrame } from './page-frame.tsx';

export function CheckoutApp({ data, Page }: CheckoutContentProps) {
  const isCheckout = data.page === 'checkout';
  const isReturning = isCheckout && data.returning;
  return (
    <PageFrame
      navbar={<Navbar startHref={isCheckout ? '' : CHECKOUT_PAGES.checkout.path} quiet />}
      footer={<TrustBadges />}
      mainClass="bg-paper print:bg-white"
      chatStartsClosed
      chatRests={!isCheckout || (data.quoted && !isReturning)}
    >
      {/* As high as the screen, so that what follows does not move when an order loads. */}
      <div className="min-h-dvh print:min-h-0" data-returning={isReturning || undefined}>
        <Island>
          <CheckoutContent data={data} Page={Page} />
        </Island>
      </div>
      {isCheckout && !data.quoted && !isReturning && <ManagePlan />}
    </PageFrame>
  );
}

function ManagePlan() {
  return (
    <Container className="pb-6 print:hidden">
      <p className="text-sm">
        Already a customer?{' '}
        <a
          href={CHECKOUT_PAGES.order.path}
          className="inline-flex min-h-11 items-center text-primary underline underline-offset-4"
        >
          Manage your plan
        </a>
      </p>
    </Container>
  );
}

/** Each badge links to the passage of the security policy that says what it means here. */
const BADGES = [
  { words: 'Secure Transactions', passage: 'secure-transactions' },
  { words: 'Verified Business', passage: 'verified-business' },
  { words: 'SSL Protected', passage: 'ssl-protected' },
  { words: 'PCI Compliant', passage: 'pci-compliant' },
];

function TrustBadges() {
  return (
    <footer className="border-t border-line bg-paper pb-(--foot) lg:pb-0 print:hidden">
      <Container className="py-3">
        <ul className="grid min-[18rem]:grid-cols-[auto_auto] justify-start gap-x-4 gap-y-1 sm:flex sm:flex-wrap sm:justify-center sm:gap-x-8">
          {BADGES.map(({ words, passage }) => (
            <li key={words}>
              <a
                href={`${CONTENT_PATHS.securityPolicy}#${passage}`}
                className="inline-flex min-h-11 items-center gap-2 text-xs text-muted hover:text-ink"
              >
                <ShieldCheck className="size-4 shrink-0" />
                {words}
              </a>
            </li>
          ))}
        </ul>
      </Container>
    </footer>
  );
}
