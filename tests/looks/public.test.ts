import { lookAt } from './look-at.ts';
import { PUBLIC_SCREENS } from './public-screens.ts';

lookAt(PUBLIC_SCREENS);
