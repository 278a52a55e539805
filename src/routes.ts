/** The site map: every page with its path and title. Imports nothing. */

/** The public document, with every file of content/news, content/pages and content/trust. */
export const SITE_PAGES = {
  home: { path: '/', title: 'IT Services & Solutions' },
  news: { path: '/news', title: 'News & Updates' },
  article: { path: '/news/:slug' },
  resources: { path: '/resources/', title: 'Resources' },
  safeguards: { path: '/safeguards-check' },
  /** Answers a contact form that was sent without script; otherwise it leads to the form. */
  contact: { path: '/contact', title: 'Send us a Message' },
} as const;

/** Sections of the home page, in the order of the navigation bar. */
export const HOME_SECTIONS = {
  services: { path: '/#services', title: 'Services' },
  solutions: { path: '/#solutions', title: 'Solutions' },
  about: { path: '/#about', title: 'About' },
  news: { path: '/#news', title: 'News' },
  pricing: { path: '/#pricing', title: 'Pricing' },
  contact: { path: '/#contact', title: 'Contact' },
} as const;

/** Pages from content/ to which the code links. */
export const CONTENT_PATHS = {
  privacyPolicy: '/privacy-policy',
  termsOfService: '/terms-of-service',
  securityPolicy: '/security-policy',
  trust: '/trust',
  tenQuestions: '/ten-questions',
  sampleEvidence: '/sample-evidence',
} as const;

/** Files for crawlers, feed readers and other programs. */
export const WELL_KNOWN_FILES = {
  sitemap: '/sitemap.xml',
  feed: '/news/rss.xml',
  robots: '/robots.txt',
  manifest: '/site.webmanifest',
  security: '/.well-known/security.txt',
} as const;

/** The checkout document. */
export const CHECKOUT_PAGES = {
  checkout: {
    path: '/checkout',
    title: 'Checkout',
    description: 'Choose a plan and add-ons, and pay by card.',
  },
  /** The checkout with a plan chosen. */
  plan: { path: '/checkout/:planId' },
  /** The customer's own page. */
  order: {
    path: '/checkout/order',
    title: 'Manage your plan',
    description: 'See your order and payments, change your plan, or cancel.',
  },
  /** Anyone who has its URL can see it. */
  quote: {
    path: '/quote/:token',
    title: 'Your quote',
    description: 'Your quote, with its prices held for you.',
  },
} as const;

/** The staff document; a page with a label is in its navigation. */
export const STAFF_PAGES = {
  signIn: { path: '/admin-login', title: 'Staff sign-in' },
  inbox: { path: '/admin', title: 'Admin Dashboard', label: 'Inbox' },
  orders: { path: '/admin/orders', title: 'Orders', label: 'Orders' },
  quotes: { path: '/admin/quotes', title: 'Quotes', label: 'Quotes' },
  prices: { path: '/admin/prices', title: 'Prices', label: 'Prices' },
  people: { path: '/admin/people', title: 'People', label: 'People' },
  logs: { path: '/admin/logs', title: 'Access Logs', label: 'Logs' },
  account: { path: '/admin/account', title: 'Account', label: 'Account' },
} as const;

/** Of an order or a quote, its id; of the inbox, a thread's. */
export function recordPath(page: 'inbox' | 'orders' | 'quotes', id: number): string {
  return `${STAFF_PAGES[page].path}?open=${id}`;
}

export function personPath(email: string): string {
  return `${STAFF_PAGES.people.path}?find=${encodeURIComponent(email)}`;
}

export function staffTitle(path: string, company: { name: string }): string {
  const page = Object.values(STAFF_PAGES).find((each) => each.path === path);
  return `${page?.title ?? 'Staff'} | ${company.name}`;
}

export const STAFF_PATHS: readonly string[] = Object.values(STAFF_PAGES).map(({ path }) => path);

/** Anyone with the path of a quote can open it: for what is logged, the path without its token. */
export function withoutToken(path: string): string {
  return path.replace(/^\/quote\/.*/i, '/quote');
}

export function fillPath(path: `${string}/:${string}`, value: string | number): string {
  return path.replace(/:\w+/, () => String(value));
}
