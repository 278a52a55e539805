import { sharedBrowser } from '../support/browser.ts';
import { lookAt } from './look-at.ts';
import { PUBLIC_SCREENS } from './public-screens.ts';

lookAt(PUBLIC_SCREENS, sharedBrowser({ pictures: true }));
