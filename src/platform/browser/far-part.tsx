/**
 * A part far down a page, which many visitors never reach: the server draws it, and its script is fetched when it is
 * about to come into sight or is touched. Until then it is the HTML that it is; see also part.tsx.
 */
import { type ComponentType, type ReactNode, Suspense, use, useEffect } from 'react';

/** How far from the screen it may be when its script is fetched. */
const NEAR = '400px';
const TOUCHES = ['pointerdown', 'focusin'];

const farParts: { fetch(): Promise<void> }[] = [];

/** For the server, which draws all of them. */
export async function fetchFarParts(): Promise<void> {
  await Promise.all(farParts.map((each) => each.fetch()));
}

/**
 * `load` fetches the component. Where the server has drawn nothing, such as after a move, it is fetched at once, and
 * `room` is shown meanwhile. What draws it must not draw it again before: React would drop the HTML for the room.
 */
export function farPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  room: ReactNode,
): ComponentType<Props> {
  const far = new FarPart(load);
  farParts.push(far);
  return (props) => (
    <div ref={far.watch} data-far-part>
      <Suspense fallback={<Awaited far={far}>{room}</Awaited>}>
        <Drawn far={far} props={props} />
      </Suspense>
    </div>
  );
}

class FarPart<Props extends object> {
  readonly #load: () => Promise<ComponentType<Props>>;
  readonly #coming = Promise.withResolvers<ComponentType<Props>>();
  found: ComponentType<Props> | undefined;

  constructor(load: () => Promise<ComponentType<Props>>) {
    this.#load = load;
  }

  get coming(): Promise<ComponentType<Props>> {
    return this.#coming.promise;
  }

  readonly fetch = async (): Promise<void> => {
    this.found ??= await this.#load();
    this.#coming.resolve(this.found);
  };

  /** One that cannot be fetched now is tried again with the next touch. */
  readonly tryFetch = () => this.fetch().catch(() => undefined);

  readonly watch = (element: HTMLElement | null) => {
    if (!element) return;
    const sight = new IntersectionObserver(
      (seen) => {
        if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
        sight.disconnect();
        this.tryFetch();
      },
      { rootMargin: NEAR },
    );
    sight.observe(element);
    const touches = new AbortController();
    // At the window, for React lets no such event through to a part that it has not taken over.
    for (const touch of TOUCHES)
      window.addEventListener(
        touch,
        ({ target }) => {
          if (!this.found && target instanceof Node && element.contains(target)) this.tryFetch();
        },
        { capture: true, passive: true, signal: touches.signal },
      );
    return () => {
      sight.disconnect();
      touches.abort();
    };
  };
}

interface AwaitedProps {
  far: { tryFetch(): Promise<void> };
  children: ReactNode;
}

function Awaited({ far, children }: AwaitedProps) {
  useEffect(() => void far.tryFetch(), [far]);
  return children;
}

function Drawn<Props extends object>({ far, props }: { far: FarPart<Props>; props: Props }) {
  const Part = far.found ?? use(far.coming);
  return <Part {...props} />;
}
