import { lookAt } from './look-at.ts';
import { STAFF_SCREENS } from './staff-screens.ts';

lookAt(STAFF_SCREENS);
