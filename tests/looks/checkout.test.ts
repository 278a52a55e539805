import { describe } from 'vitest';
import { useBrowser } from '../support/browser.ts';
import { CHECKOUT_SCREENS } from './checkout-screens.ts';
import { lookAt } from './look-at.ts';

describe('checkout screens', () => {
  lookAt(CHECKOUT_SCREENS, useBrowser({ pictures: true }));
});
