/**
 * The site map: the pages of the public document and of the checkout's, with their addresses, titles and the modules that draw them. A page without
 * a title here takes it from its content, which web/site-pages.server.ts puts together.
 */
import { CHECKOUT } from './checkout/checkout-address.ts';
import { NEWS } from './news/article.ts';
import { ORDER_PAGE } from './orders/order-api.ts';
import { QUOTE_PAGE } from './quotes/quote.ts';
import { SAFEGUARDS } from './safeguards/safeguards-address.ts';

interface SitePage {
  path: string;
  title?: string;
  module: string;
}

/** The public document. web/pages.ts has the browser load the modules. */
export const SITE_PAGES = {
  home: {
    path: '/',
    title: 'IT Services & Solutions',
    module: 'src/home/home-page.tsx',
  },
  news: { ...NEWS, module: 'src/news/news-page.tsx' },
  article: { path: `${NEWS.path}/:slug`, module: 'src/news/article-page.tsx' },
  legal: { path: '/:name', module: 'src/legal/legal-page.tsx' },
  resources: {
    path: '/resources/',
    title: 'Resources',
    module: 'src/resources/resources-page.tsx',
  },
  safeguards: { ...SAFEGUARDS, module: 'src/safeguards/safeguards-page.tsx' },
  /** What can be checked of the company, and samples of its work. */
  sheet: { path: '/:sheet', module: 'src/trust/sheet-page.tsx' },
  /** The answer to a message that was sent without script. */
  contact: { path: '/contact', title: 'Send us a Message', module: 'src/contact/contact-page.tsx' },
  /** At every address that has no page. */
  'not-found': {
    path: '',
    title: '404 Not Found',
    module: 'src/home/not-found-page.tsx',
  },
} as const satisfies Record<string, SitePage>;

const CHECKOUT_PAGE = { ...CHECKOUT, module: 'src/checkout/checkout-page.tsx' };

/** The checkout's document. web/checkout-app.tsx has the browser load the modules. */
export const CHECKOUT_PAGES = {
  checkout: CHECKOUT_PAGE,
  /** The same with a plan chosen. */
  plan: { ...CHECKOUT_PAGE, path: `${CHECKOUT.path}/:planId` },
  order: { ...ORDER_PAGE, module: 'src/account/order-page.tsx' },
  quote: { ...QUOTE_PAGE, module: 'src/quotes/quote-page.tsx' },
} as const satisfies Record<string, SitePage>;
