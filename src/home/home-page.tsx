import { FailureBoundary, lazyPart } from '../ui/failure-boundary.tsx';
import { Hero } from './hero.tsx';
import type { HomeContent } from './home.ts';

/** Of a long page the script of the first screen comes first. */
const HomeSections = lazyPart(async () => (await import('./home-sections.tsx')).HomeSections);

export default function HomePage({ content }: { content: HomeContent }) {
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
