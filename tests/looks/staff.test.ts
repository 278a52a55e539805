import { sharedBrowser } from '../support/browser.ts';
import { lookAt } from './look-at.ts';
import { STAFF_SCREENS } from './staff-screens.ts';

lookAt(STAFF_SCREENS, sharedBrowser({ pictures: true }));
