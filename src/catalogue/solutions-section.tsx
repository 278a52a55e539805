import { Section } from '../ui/section.tsx';
import type { Solution } from './catalogue.ts';
import { CatalogueList } from './catalogue-list.tsx';
import { SolutionCard, SolutionCardSkeleton } from './solution-card.tsx';
import { useList } from './use-list.ts';

interface SolutionsSectionProps {
  solutions?: readonly Solution[];
  /** How many there will be, where they are awaited. */
  awaited?: number;
}

export function SolutionsSection({ solutions, awaited }: SolutionsSectionProps) {
  const list = useList('/api/solutions', solutions);
  return (
    <Section
      id="solutions"
      heading="Industry Solutions"
      lead="Every trade has its own software, rules and busy hours. We learn yours before we touch anything."
      ground="ink"
    >
      <CatalogueList
        list={list}
        loading="Loading solutions"
        skeletons={4}
        awaited={awaited}
        skeleton={<SolutionCardSkeleton />}
        error="Error loading solutions. Please try again later."
        className="grid gap-6 md:grid-cols-2 xl:grid-cols-3"
      >
        {(solution) => <SolutionCard solution={solution} />}
      </CatalogueList>
    </Section>
  );
}
