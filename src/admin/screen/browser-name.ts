const BROWSERS = [
  /(Edg)\/\d+/,
  /(OPR)\/\d+/,
  /(Firefox)\/\d+/,
  /(Chrome)\/\d+/,
  /Version\/\d+.*(Safari)/,
];
const BROWSER_NAMES: Record<string, string> = { Edg: 'Edge', OPR: 'Opera' };
const SYSTEMS = /Windows|Android|iPhone|iPad|Mac OS X|CrOS|Linux/;

/** 'Chrome on Windows', as far as the browser says; else what it says. */
export function browserName(userAgent: string): string {
  const found = BROWSERS.map((pattern) => pattern.exec(userAgent)?.[1]).find(Boolean);
  const system = SYSTEMS.exec(userAgent)?.[0];
  if (!found || !system) return userAgent || 'Unknown browser';
  return `${BROWSER_NAMES[found] ?? found} on ${system}`;
}
