/** In place of the site's own: a peer splits its script by React's means, and fetches it when its framework does. */
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';

export function farPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  room: ReactNode,
): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await load() }));
  return (props) => (
    <Suspense fallback={room}>
      <Part {...props} />
    </Suspense>
  );
}
