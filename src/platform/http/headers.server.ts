/** The response headers of each kind of answer, built once at start. */

/** `secretPage`: its URL is a secret, which no referrer may have. `wellKnown`: for programs. */
export type HeaderSets = Record<
  'site' | 'checkout' | 'secretPage' | 'staff' | 'api' | 'asset' | 'picture' | 'wellKnown',
  Record<string, string>
>;

/** Services under the same domain may have no certificate, so the operator includes them. */
const HSTS = {
  trial: 'max-age=86400',
  host: 'max-age=63072000',
  subdomains: 'max-age=63072000; includeSubDomains',
  preload: 'max-age=63072000; includeSubDomains; preload',
};

/** React hydrates a page only as it left the server; some proxies rewrite email addresses. */
export const PRIVATE_PAGE = 'no-store, no-transform';

interface HeaderOptions {
  /** How far HSTS reaches; null: the site is not served over https. */
  hsts: keyof typeof HSTS | null;
  payment: PaymentPolicy;
  /** Origins of the remote pictures that content/ names. */
  pictureOrigins: readonly string[];
}

/** What the checkout allows the scripts and frames of the payment provider. */
export interface PaymentPolicy {
  /** Sources by directive of the Content-Security-Policy, besides the site itself. */
  sources: Readonly<Record<string, string>>;
  /** The origin of frames that open windows and the payment sheet; null if there are none. */
  frames: string | null;
}

export function headerSets({ hsts, payment, pictureOrigins }: HeaderOptions): HeaderSets {
  const common: Record<string, string> = {
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Origin-Agent-Cluster': '?1',
    'Permissions-Policy': permissions('payment=()'),
    ...(hsts && { 'Strict-Transport-Security': HSTS[hsts] }),
  };
  const pictures = { 'img-src': pictureOrigins.join(' ') };
  const page = {
    ...common,
    'Content-Security-Policy': policy(pictures),
    ...(pictureOrigins.length === 0 ? { 'Cross-Origin-Embedder-Policy': 'require-corp' } : {}),
  };
  const notHtml = (caching: string) => ({
    ...common,
    'Cache-Control': caching,
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  });
  const checkout = {
    ...(payment.frames === null ? page : { ...common, ...allowFrames(payment.frames) }),
    'Content-Security-Policy': policy({ ...pictures, ...payment.sources }),
    'Cache-Control': PRIVATE_PAGE,
    'X-Robots-Tag': 'noindex',
  };
  return {
    site: { ...page, 'Cache-Control': 'no-cache, no-transform' },
    checkout,
    secretPage: { ...checkout, 'Referrer-Policy': 'no-referrer' },
    staff: {
      ...page,
      'Cache-Control': PRIVATE_PAGE,
      'X-Robots-Tag': 'noindex, nofollow',
      'Referrer-Policy': 'no-referrer',
    },
    api: notHtml('no-store'),
    asset: notHtml('public, max-age=31536000, immutable'),
    picture: notHtml('public, max-age=86400'),
    wellKnown: notHtml('public, max-age=3600'),
  };
}

function allowFrames(origin: string) {
  return {
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'Permissions-Policy': permissions(`payment=(self "${origin}")`),
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

/** A Content-Security-Policy for the site itself, plus `extra` sources by directive. */
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

/** A Permissions-Policy that turns everything off. `payment`: the entry for payments. */
function permissions(payment: string): string {
  return [...UNUSED_FEATURES.split(' ').map((name) => `${name}=()`), payment].join(', ');
}
