/** Tests in two sizes: short in `npm test`, long in `npm run test:full -- endurance`. */
import { inject } from 'vitest';

export function sized<Size>(small: Size, large: Size): Size {
  return inject('size') === 'large' ? large : small;
}
