import { part } from '../platform/browser/part.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { Hero } from './hero.tsx';
import { HeroCarousel } from './hero-carousel.tsx';
import type { HomeContent } from './home.ts';

export { readHome as readContent } from './home.ts';

// The pictures turn by themselves; everything else has time until somebody is there.
const parts = () => import('./home-parts.tsx');
const HeroWords = part(async () => (await parts()).HeroWords);
const HeroFacts = part(async () => (await parts()).HeroFacts);
const HomeSections = part(async () => (await parts()).HomeSections);

export default function HomePage({ content }: { content: HomeContent }) {
  return (
    <>
      <FailureBoundary>
        <Hero
          words={<HeroWords from={content.from} />}
          pictures={<HeroCarousel slides={content.slides} />}
          facts={<HeroFacts />}
        />
      </FailureBoundary>
      <HomeSections content={content} />
    </>
  );
}
