/** What a page may load and use: the policies that browsers keep it to, strict but for what is named. */

/** `extra`: further sources of a directive. */
export function policy(extra: Readonly<Record<string, readonly string[]>>): string {
  const own = [
    'script-src',
    'style-src',
    'img-src',
    'font-src',
    'connect-src',
    'manifest-src',
    'form-action',
  ];
  const sources = own.map((name) => [name, "'self'", ...(extra[name] ?? [])].join(' '));
  const only = ['frame-src', 'trusted-types'].flatMap((name) => {
    const values = extra[name];
    return values ? [[name, ...values].join(' ')] : [];
  });
  return [
    "default-src 'none'",
    ...sources,
    ...only,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

/** `payment`: the one feature that a page may have. */
export function permissions(payment: string): string {
  const off = [
    'accelerometer',
    'autoplay',
    'browsing-topics',
    'camera',
    'display-capture',
    'encrypted-media',
    'fullscreen',
    'geolocation',
    'gyroscope',
    'hid',
    'identity-credentials-get',
    'idle-detection',
    'local-fonts',
    'magnetometer',
    'microphone',
    'midi',
    'picture-in-picture',
    'publickey-credentials-get',
    'screen-wake-lock',
    'serial',
    'storage-access',
    'sync-xhr',
    'usb',
    'xr-spatial-tracking',
  ];
  return [...off.map((name) => `${name}=()`), payment].join(', ');
}
