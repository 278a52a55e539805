import { Section } from '../ui/section.tsx';
import type { Solution } from './catalogue.ts';
import { LIST_SOLUTIONS } from './catalogue-api.ts';
import { CatalogueList, useList } from './catalogue-list.tsx';
import { SolutionCard, SolutionCardSkeleton } from './solution-card.tsx';

interface SolutionsSectionProps {
  /** Those that the page carries. */
  rows: Solution[] | null;
  /** How each is priced, in words, by its id. */
  priced: Readonly<Record<string, string>>;
}

export function SolutionsSection({ rows, priced }: SolutionsSectionProps) {
  const list = useList(LIST_SOLUTIONS, rows);
  return (
    <Section
      id="solutions"
      heading="Industry Solutions"
      lead="Every industry has its own software, rules, and rush hours. We learn yours before we touch anything."
      ground="night"
    >
      <CatalogueList
        list={list}
        what="solutions"
        skeletons={4}
        skeleton={<SolutionCardSkeleton />}
        // On a phone side by side, with the edge of the next in view: six of these below each other are five screens.
        className="relative -mx-5 grid snap-x scroll-px-5 [&[role=status]]:overflow-hidden auto-cols-[86%] grid-flow-col gap-4 overflow-x-auto px-5 pb-2 sm:-mx-8 sm:scroll-px-8 sm:auto-cols-[60%] sm:px-8 md:mx-0 md:auto-cols-auto md:grid-flow-row md:grid-cols-2 md:gap-6 md:overflow-visible md:p-0 lg:grid-cols-3"
      >
        {(solution) => <SolutionCard solution={solution} priced={priced[solution.id]} />}
      </CatalogueList>
    </Section>
  );
}
