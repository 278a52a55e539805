import { isbot } from 'isbot';
import { memoize } from '../platform/memoize.ts';
import type { DeviceClass } from './analytics.ts';

const TABLET = /ipad|tablet|kindle|silk\/|playbook|android(?!.*\bmobile\b)/i;
const PHONE = /iphone|ipod|android.*\bmobile\b|windows phone|\bmobile\b|blackberry|opera mini/i;
const DESKTOP = /windows nt|macintosh|x11|cros|linux/i;

/** From what the browser says of itself; programs that call themselves nothing known are unknown. */
export const deviceClass = memoize((userAgent): DeviceClass => {
  if (isbot(userAgent)) return 'bot';
  if (TABLET.test(userAgent)) return 'tablet';
  if (PHONE.test(userAgent)) return 'phone';
  return DESKTOP.test(userAgent) ? 'desktop' : 'unknown';
});
