/** The response headers of each kind of answer: constant strings, put together once at start. */

/**
 * `secretPage`: of a page of the checkout's document whose address is a secret, so it travels as no referrer. `machine`: of
 * the sitemap, feeds and other files that programs come for again and again.
 */
export type HeaderSets = Record<
  'site' | 'checkout' | 'secretPage' | 'staff' | 'api' | 'asset' | 'picture' | 'machine',
  Record<string, string>
>;

interface Circumstances {
  /** Whether PUBLIC_URL is https, so that HSTS may be sent. */
  secure: boolean;
  stripe: boolean;
  /** Origins of remote pictures named in content/. */
  pictureOrigins: readonly string[];
}

export function headerSets({ secure, stripe, pictureOrigins }: Circumstances): HeaderSets {
  const every: Record<string, string> = {
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Origin-Agent-Cluster': '?1',
    'Permissions-Policy': permissions('payment=()'),
    ...(secure
      ? { 'Strict-Transport-Security': 'max-age=63072000; includeSubDomains; preload' }
      : {}),
  };
  const pictures = { 'img-src': pictureOrigins.join(' ') };
  const page = {
    ...every,
    'Content-Security-Policy': policy(pictures),
    ...(pictureOrigins.length === 0 ? { 'Cross-Origin-Embedder-Policy': 'require-corp' } : {}),
  };
  const noPage = (caching: string) => ({
    ...every,
    'Cache-Control': caching,
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  });
  const checkout = {
    // The specification has Stripe named on the checkout; its scripts run only where it takes the payments.
    ...(stripe
      ? stripeCheckout(every)
      : { ...page, 'Content-Security-Policy': policy({ ...pictures, ...STRIPE_REACHED }) }),
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex',
  };
  return {
    site: { ...page, 'Cache-Control': 'no-cache' },
    checkout,
    secretPage: { ...checkout, 'Referrer-Policy': 'no-referrer' },
    staff: {
      ...page,
      'Cache-Control': 'no-store',
      'X-Robots-Tag': 'noindex, nofollow',
      'Referrer-Policy': 'no-referrer',
    },
    api: noPage('no-store'),
    asset: noPage('public, max-age=31536000, immutable'),
    picture: noPage('public, max-age=86400'),
    machine: noPage('public, max-age=3600'),
  };
}

const STRIPE_SCRIPTS = 'https://js.stripe.com https://*.js.stripe.com';
const STRIPE_REACHED = {
  'frame-src': `${STRIPE_SCRIPTS} https://hooks.stripe.com`,
  'connect-src': 'https://api.stripe.com',
};

function stripeCheckout(every: Record<string, string>): Record<string, string> {
  return {
    ...every,
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    // Stripe's frames may offer the browser's own payment sheet.
    'Permissions-Policy': permissions('payment=(self "https://js.stripe.com")'),
    'Content-Security-Policy': policy({
      ...STRIPE_REACHED,
      'script-src': STRIPE_SCRIPTS,
      'img-src': 'https://*.stripe.com',
      // The one policy that the checkout's script makes; it admits Stripe's own scripts and nothing else.
      'trusted-types': 'default',
    }),
  };
}

const OWN_SOURCES = [
  'script-src',
  'style-src',
  'img-src',
  'font-src',
  'connect-src',
  'manifest-src',
  'form-action',
];

/** A content policy that is strict but for `extra`: further sources of a directive. */
function policy(extra: Readonly<Record<string, string>>): string {
  const sources = Object.fromEntries(OWN_SOURCES.map((name) => [name, "'self'"]));
  for (const [name, more] of Object.entries(extra))
    if (more) sources[name] = [sources[name], more].filter(Boolean).join(' ');
  return [
    "default-src 'none'",
    ...Object.entries(sources).map(([name, values]) => `${name} ${values}`),
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

const UNUSED_FEATURES =
  'accelerometer autoplay browsing-topics camera display-capture encrypted-media fullscreen geolocation gyroscope hid ' +
  'identity-credentials-get idle-detection local-fonts magnetometer microphone midi picture-in-picture ' +
  'publickey-credentials-get screen-wake-lock serial storage-access sync-xhr usb xr-spatial-tracking';

/** `payment`: the one feature that a page may have. */
function permissions(payment: string): string {
  return [...UNUSED_FEATURES.split(' ').map((name) => `${name}=()`), payment].join(', ');
}
