/**
 * Parts of a document that are HTML until somebody is there: the server draws them, and their script comes with the
 * first sign of a person. React then takes each over by itself, the one that is pressed before the others.
 */
import { type ComponentType, memo, Suspense, use } from 'react';

let held: Promise<void> | undefined;
const parts: { fetch(): Promise<void> }[] = [];

/** For the browser, before it takes a document over: no part is fetched before this. */
export function holdParts(until: Promise<void>): void {
  held = until;
}

/** Fetches all parts that are known; what is drawn afterwards waits for none of them. */
export async function fetchParts(): Promise<void> {
  await Promise.all(parts.map((each) => each.fetch()));
}

/**
 * `load` fetches the component. The part stays plain HTML until that succeeds. It renders again only when its props
 * change, so a move to another page leaves the navbar, footer, and chat alone.
 */
export function part<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const coming = new Coming(load);
  parts.push(coming);
  return memo((props: Props) => (
    <Suspense>
      <Drawn coming={coming} props={props} />
    </Suspense>
  ));
}

class Coming<Props extends object> {
  readonly #load: () => Promise<ComponentType<Props>>;
  #waiting: Promise<ComponentType<Props>> | undefined;
  found: ComponentType<Props> | undefined;

  constructor(load: () => Promise<ComponentType<Props>>) {
    this.#load = load;
  }

  async fetch(): Promise<void> {
    await held;
    this.found ??= await this.#load();
  }

  /** One promise however often it is asked for, as React wants it. */
  wait(): Promise<ComponentType<Props>> {
    this.#waiting ??= this.#untilFound();
    return this.#waiting;
  }

  async #untilFound(): Promise<ComponentType<Props>> {
    for (;;) {
      await this.fetch().catch(() => undefined);
      if (this.found) return this.found;
      // While it is captured: React lets no press through to what it has not taken over.
      await new Promise((touched) =>
        addEventListener('pointerdown', touched, { once: true, capture: true }),
      );
    }
  }
}

function Drawn<Props extends object>({ coming, props }: { coming: Coming<Props>; props: Props }) {
  const Part = coming.found ?? use(coming.wait());
  return <Part {...props} />;
}
