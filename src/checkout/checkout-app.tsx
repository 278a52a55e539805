/** The checkout document: a frame of its own, so that it has the content policy that payments need. */
import { Router } from 'wouter';
import type { InDollars, Plan } from '../catalogue/catalogue.ts';
import type { AddOnPrices } from '../catalogue/pricing.ts';
import { Navbar } from '../company/navbar.tsx';
import { type Site, SiteProvider } from '../platform/site.ts';
import { Toaster } from '../ui/toaster.tsx';
import { CheckoutPage } from './checkout-page.tsx';
import type { CheckoutChoice } from './choice.ts';
import { TrustStrip } from './trust-strip.tsx';

/** What the document's HTML carries for the browser; plans with their prices in dollars. */
export interface CheckoutData {
  site: Site;
  plans: InDollars<Plan>[];
  prices: AddOnPrices;
  choice: CheckoutChoice;
  provider: 'test' | 'stripe';
  /** Sales tax comes on top of the prices. */
  tax: boolean;
}

export function CheckoutApp({ data }: { data: CheckoutData }) {
  return (
    <SiteProvider value={data.site}>
      <Router ssrPath="/checkout">
        <title>{`Checkout | ${data.site.company.name}`}</title>
        <meta name="description" content="Choose a plan and its add-ons, and pay by card." />
        <meta name="robots" content="noindex" />
        <a href="#main" className="skip-link">
          Skip to content
        </a>
        <Navbar activePath="/checkout" />
        <main id="main" tabIndex={-1} className="bg-white">
          <CheckoutPage data={data} />
        </main>
        <TrustStrip />
        <Toaster />
      </Router>
    </SiteProvider>
  );
}
