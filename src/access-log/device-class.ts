import { memoize } from '../platform/memoize.ts';
import type { DeviceClass } from './analytics.ts';

const BOT =
  /bot\b|bot[/;_-]|crawl|spider|slurp|scrap|headless|monitor|uptime|preview|facebookexternalhit|curl|wget|python|java\/|go-http|okhttp|axios|node|undici|libwww|httpclient|scan|\+https?:\/\//i;
const TABLET = /ipad|tablet|kindle|silk\/|playbook|android(?!.*\bmobile\b)/i;
const PHONE = /iphone|ipod|android.*\bmobile\b|windows phone|\bmobile\b|blackberry|opera mini/i;
const DESKTOP = /windows nt|macintosh|x11|cros|linux/i;

/** By simple rules from what the browser says of itself; programs that call themselves nothing known are unknown. */
export const deviceClass = memoize((userAgent): DeviceClass => {
  if (BOT.test(userAgent)) return 'bot';
  if (TABLET.test(userAgent)) return 'tablet';
  if (PHONE.test(userAgent)) return 'phone';
  return DESKTOP.test(userAgent) ? 'desktop' : 'unknown';
});
