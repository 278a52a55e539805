import Check from 'lucide-react/icons/check';
import { useSite } from '../platform/site.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Card, Section } from '../ui/layout.tsx';

const WAYS = [
  'Credit and debit cards (Visa, Mastercard, Amex)',
  'ACH and wire transfers',
  'Recurring billing',
  'PCI DSS compliant processing',
];

export function PaymentOptions() {
  const { phone } = useSite().company;
  return (
    <Section
      id="payment-options"
      heading="Flexible Payment Options"
      lead="Billed monthly. Pay the way your bookkeeper likes."
      ground="paper"
      layout="beside"
    >
      <Card className="shadow-raised max-sm:p-5">
        <h3 className="text-lg tracking-tight">Traditional Payments</h3>
        <ul className="mt-3 grid gap-x-6 gap-y-1.5 text-sm text-ink sm:grid-cols-[auto_auto] sm:justify-between">
          {WAYS.map((way) => (
            <li key={way} className="flex gap-2.5">
              <Check className="mt-0.5 size-5 shrink-0 text-primary" />
              {way}
            </li>
          ))}
        </ul>
        <div className="mt-5 flex flex-wrap items-center gap-x-5 gap-y-3 border-t border-line pt-5">
          <ButtonLink href="/checkout">Get Started</ButtonLink>
          <p className="min-w-0 flex-1 basis-52 text-sm">
            Checkout takes cards. To pay by ACH or wire transfer, call{' '}
            <a href={`tel:${phone.tel}`} className="whitespace-nowrap text-primary underline">
              {phone.display}
            </a>
            .
          </p>
        </div>
      </Card>
    </Section>
  );
}
