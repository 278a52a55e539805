import { useBrowser } from '../support/browser.ts';
import { useTestApp } from '../support/test-app.ts';
import { lookAt } from './look-at.ts';
import { STAFF_SCREENS } from './staff-screens.ts';

lookAt(STAFF_SCREENS, useBrowser({ pictures: true }), useTestApp());
