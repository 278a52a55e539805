import * as z from 'zod/mini';
import { fallback, list } from '../platform/schema.ts';
import { FailureBoundary, lazyPart } from '../ui/failure-boundary.tsx';
import { Hero } from './hero.tsx';
import { slide } from './slide.ts';

/** The rest of the content is read by the part that shows it. */
export const contentSchema = z.looseObject({
  slides: list(slide),
  /** What the least expensive plan costs a month, such as '$450'; '' when there is none. */
  from: fallback(z.string(), ''),
});

/** Of a long page the script of the first screen comes first. */
const HomeSections = lazyPart(async () => (await import('./home-sections.tsx')).HomeSections);

export default function HomePage({ content }: { content: z.output<typeof contentSchema> }) {
  return (
    <>
      <FailureBoundary>
        <Hero slides={content.slides} from={content.from} />
      </FailureBoundary>
      <FailureBoundary>
        <HomeSections content={content} />
      </FailureBoundary>
    </>
  );
}
