import { CHECKOUT_SCREENS } from './checkout-screens.ts';
import { lookAt } from './look-at.ts';

lookAt(CHECKOUT_SCREENS);
