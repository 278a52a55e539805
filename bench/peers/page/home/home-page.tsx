/** In place of the site's own, whose parts wait until somebody is there: each framework brings them as it does. */
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { Hero } from './hero.tsx';
import { HeroCarousel } from './hero-carousel.tsx';
import type { HomeContent } from './home.ts';
import { HeroFacts, HeroWords, HomeSections } from './home-parts.tsx';

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
