/** The security and caching headers of every kind of answer. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readEnv } from '../../../src/env.server.ts';
import { paymentProvider } from '../../../src/payments/start-payments.server.ts';
import { headerSets } from '../../../src/platform/http/headers.server.ts';
import { ownContent } from '../../support/own-content.ts';
import { sharedTestApp } from '../../support/test-app.ts';

const STRIPE_KEYS = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
};

const OFF =
  'accelerometer autoplay browsing-topics camera display-capture encrypted-media fullscreen geolocation gyroscope ' +
  'hid identity-credentials-get idle-detection local-fonts magnetometer microphone midi picture-in-picture ' +
  'publickey-credentials-get screen-wake-lock serial storage-access sync-xhr usb xr-spatial-tracking payment';
const EVERY = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': OFF.split(' ')
    .map((name) => `${name}=()`)
    .join(', '),
};
const PAGE = {
  ...EVERY,
  'content-security-policy':
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; ` +
    "manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; " +
    "require-trusted-types-for 'script'",
  'cross-origin-embedder-policy': 'require-corp',
};
const CHECKOUT = {
  ...PAGE,
  'content-security-policy': PAGE['content-security-policy']
    .replace("connect-src 'self'", "connect-src 'self' https://api.stripe.com")
    .replace(
      "form-action 'self'",
      "form-action 'self'; frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com",
    ),
  'cache-control': 'no-store, no-transform',
  'x-robots-tag': 'noindex',
};
const HTML = { 'content-type': 'text/html; charset=utf-8', vary: 'Accept-Encoding' };
/** The URL contains a secret, which must not be sent as a referrer. */
const SECRET_PAGE = { ...CHECKOUT, 'referrer-policy': 'no-referrer' };
const NOTHING = "default-src 'none'; frame-ancestors 'none'";
const API = {
  ...EVERY,
  'cache-control': 'no-store',
  'content-security-policy': NOTHING,
  'content-type': 'application/json; charset=utf-8',
};
const TEXT = { 'content-type': 'text/plain; charset=utf-8' };
const SVG = { 'content-type': 'image/svg+xml', vary: 'Accept-Encoding' };
const PICTURE = {
  ...EVERY,
  'cache-control': 'public, max-age=86400',
  'content-security-policy': NOTHING,
};
/** No cache may keep a picture under a version that is not its own. */
const GUESSED = { ...PICTURE, 'cache-control': 'no-cache' };
const AVIF = { 'content-type': 'image/avif' };
const versionOf = (picture: string) => ownContent().pictures[`/pictures/${picture}`]?.version;
const ASSET = {
  ...EVERY,
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': NOTHING,
};

const STAFF_MOVED = {
  ...PAGE,
  'cache-control': 'no-store, no-transform',
  'x-robots-tag': 'noindex, nofollow',
  'referrer-policy': 'no-referrer',
};
const STAFF = { ...STAFF_MOVED, ...HTML };
const MACHINE = {
  ...EVERY,
  'cache-control': 'public, max-age=3600',
  'content-security-policy': NOTHING,
  vary: 'Accept-Encoding',
};

/** Headers that Node adds, or that differ with each body. */
const IGNORED = [
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'transfer-encoding',
  'etag',
  'x-request-id',
];

const app = sharedTestApp();

async function headersOf(path: string, init: RequestInit = {}) {
  const response = await fetch(app.address + path, { redirect: 'manual', ...init });
  await response.arrayBuffer();
  const rest = [...response.headers].filter(([name]) => !IGNORED.includes(name));
  return { status: response.status, headers: Object.fromEntries(rest) };
}

const identity = { headers: { 'Accept-Encoding': 'identity' } };
const html = async (path: string) => (await fetch(app.address + path)).text();

describe('the headers', () => {
  test.each([
    ['/', 200, { ...PAGE, ...HTML, 'cache-control': 'no-cache, no-transform' }],
    ['/nowhere', 404, { ...PAGE, ...HTML, 'cache-control': 'no-cache, no-transform' }],
    ['/checkout?plan=1', 200, { ...CHECKOUT, ...HTML }],
    ['/checkout?quote=TOKEN', 200, { ...SECRET_PAGE, ...HTML }],
    ['/checkout?plan=1&payment_intent_client_secret=SECRET', 200, { ...SECRET_PAGE, ...HTML }],
    ['/checkout/order', 200, { ...SECRET_PAGE, ...HTML }],
    ['/quote/token', 200, { ...SECRET_PAGE, ...HTML }],
    ['/news/', 301, { ...PAGE, 'cache-control': 'no-cache, no-transform', location: '/news' }],
    [
      '/contact',
      302,
      { ...PAGE, 'cache-control': 'no-cache, no-transform', location: '/#contact' },
    ],
    ['/admin/logs/', 301, { ...STAFF_MOVED, location: '/admin/logs' }],
    ['/checkout/2/', 301, { ...CHECKOUT, location: '/checkout/2' }],
    ['/admin-login', 200, STAFF],
    ['/admin/logs', 200, STAFF],
    ['/sitemap.xml', 200, { ...MACHINE, 'content-type': 'application/xml; charset=utf-8' }],
    ['/robots.txt', 200, { ...MACHINE, ...TEXT }],
    ['/.well-known/security.txt', 200, { ...MACHINE, ...TEXT }],
    ['/news/rss.xml', 200, { ...MACHINE, 'content-type': 'application/rss+xml; charset=utf-8' }],
    [
      '/site.webmanifest',
      200,
      { ...MACHINE, 'content-type': 'application/manifest+json; charset=utf-8' },
    ],
    ['/favicon.ico', 200, { ...PICTURE, 'content-type': 'image/x-icon' }],
    ['/api/plans', 200, { ...API, vary: 'Accept-Encoding' }],
    ['/api/nothing', 404, API],
    ['/api/admin/session', 401, API],
    ['/api/admin/login', 405, { ...API, allow: 'POST' }],
    ['/readyz', 200, API],
    ['/up', 200, API],
    ['/pictures/favicon.svg', 200, { ...PICTURE, ...SVG }],
    [`/pictures/logo.svg?v=${versionOf('logo.svg')}`, 200, { ...ASSET, ...SVG }],
    [`/pictures/hero-1-640.avif?v=${versionOf('hero-1.jpg')}`, 200, { ...ASSET, ...AVIF }],
    [`/pictures/hero-2-640.avif?v=${versionOf('hero-1.jpg')}`, 200, { ...GUESSED, ...AVIF }],
    ['/pictures/logo.svg?v=', 200, { ...GUESSED, ...SVG }],
    ['/pictures/favicon.svg?v=1', 200, { ...GUESSED, ...SVG }],
    ['/assets/nothing.js', 404, { ...API, 'content-type': 'text/plain' }],
  ])('of %s (%i) are exactly as specified', async (path, status, headers) => {
    expect(await headersOf(path, identity)).toEqual({ status, headers });
  });

  test('of built files allow caching for ever', async () => {
    const names = [...(await html('/')).matchAll(/"(\/assets\/[^"]+)"/g)].map(
      ([, name = '']) => name,
    );
    expect(names.length).toBeGreaterThan(3);
    for (const name of names) {
      const { status, headers } = await headersOf(name, identity);
      const { 'content-type': type, vary: _, ...rest } = headers;
      expect({ name, status, rest }).toEqual({ name, status: 200, rest: ASSET });
      expect(type).toMatch(/^(text\/javascript|text\/css|font\/woff2)/);
    }
  });

  test('of the log’s CSV make it a download that cannot run anything', async () => {
    const { headers } = await (await app.staff()).get('/api/admin/logs/download');
    const rest = Object.fromEntries([...headers].filter(([name]) => !IGNORED.includes(name)));
    expect(rest).toEqual({
      ...API,
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-security-policy': `sandbox; ${NOTHING}`,
      'content-disposition': expect.stringMatching(
        /^attachment; filename="access-log-\d{4}-\d\d-\d\d\.csv"$/,
      ),
    });
  });

  test('allow Stripe what its card fields need, on the checkout only', async () => {
    const { checkout, secretPage, ...others } = headerSets({
      hsts: 'host',
      payment: (await paymentProvider(readEnv(STRIPE_KEYS))).cspSources,
      pictureOrigins: [],
    });
    const { site } = others;
    expect(secretPage).toEqual({ ...checkout, 'Referrer-Policy': 'no-referrer' });
    for (const headers of Object.values(others)) {
      expect(headers['Permissions-Policy']).toBe(EVERY['permissions-policy']);
      expect(JSON.stringify(headers)).not.toContain('stripe');
    }
    expect(checkout['Permissions-Policy']).toBe(
      EVERY['permissions-policy'].replace('payment=()', 'payment=(self "https://js.stripe.com")'),
    );
    expect(site['Content-Security-Policy']).toBe(PAGE['content-security-policy']);
    expect(checkout['Content-Security-Policy']?.split('; ')).toEqual([
      "default-src 'none'",
      `script-src 'self' https://js.stripe.com https://*.js.stripe.com`,
      "style-src 'self'",
      "img-src 'self' https://*.stripe.com",
      "font-src 'self'",
      "connect-src 'self' https://api.stripe.com",
      "manifest-src 'self'",
      "form-action 'self'",
      'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
      'trusted-types default',
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]);
    expect(checkout['Cross-Origin-Opener-Policy']).toBe('same-origin-allow-popups');
    expect(checkout['Cross-Origin-Embedder-Policy']).toBeUndefined();
  });
});

// tests/looks sees that no page has an inline script or style.
test.each(['/', '/checkout', '/admin'])(
  'the page %s names scripts and styles with their digests',
  async (path) => {
    const page = await html(path);
    const tags = [...page.matchAll(/<(?:script|link)[^>]*integrity="([^"]+)"[^>]*>/g)].map(
      ([tag, integrity = '']) => ({ href: /(?:src|href)="([^"]+)"/.exec(tag)?.[1], integrity }),
    );
    const scripts = page.match(/<script(?![^>]*json")|<link rel="(stylesheet|modulepreload)"/g);
    expect(tags).toHaveLength(scripts?.length ?? 0);
    // What the shell fetches later.
    const later = [...page.matchAll(/"href":"([^"]+)","integrity":"([^"]+)"/g)].map(
      ([, href, integrity]) => ({ href, integrity }),
    );
    expect(later.length > 5).toBe(path !== '/admin');
    for (const { href, integrity } of [...tags, ...later]) {
      const bytes = new Uint8Array(await (await fetch(app.address + href)).arrayBuffer());
      expect(`sha256-${createHash('sha256').update(bytes).digest('base64')}`).toBe(integrity);
    }
  },
);
