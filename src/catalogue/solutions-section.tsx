import { SAFEGUARDS } from '../safeguards/safeguards-address.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Section } from '../ui/layout.tsx';
import { Picture } from '../ui/picture.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Solution } from './catalogue.ts';
import { LIST_SOLUTIONS } from './catalogue.ts';
import { CatalogueList, useList } from './catalogue-list.tsx';
import { NEAR_ONLY, WhatsIncluded } from './whats-included.tsx';

/** `rows`: those that the page carries. */
export function SolutionsSection({ rows }: { rows: Solution[] }) {
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
        {(solution) => <SolutionCard solution={solution} />}
      </CatalogueList>
    </Section>
  );
}

interface Step {
  label: string;
  href: string;
}

const PLANS: Step = { label: 'See the plans', href: '/#pricing' };
/** Where an industry has a tool of its own. */
const TOOLS: Record<string, Step> = {
  Automotive: { label: 'Take the Safeguards check', href: SAFEGUARDS.path },
};

const FRAME =
  'flex snap-start flex-col overflow-hidden rounded-card bg-night-raised inset-ring inset-ring-night-line';
const PICTURE = 'h-28 w-full';

/** The industry's hue comes from `data-industry` (theme.css). */
function SolutionCard({ solution }: { solution: Solution }) {
  const { id, name, description, industry, image, features, priced } = solution;
  const heading = `solution-${id}`;
  const { label, href } = TOOLS[industry] ?? PLANS;
  return (
    <article data-industry={industry} className={FRAME}>
      {image && (
        <div className={`${PICTURE} ${NEAR_ONLY} border-b-2 border-(--industry)`}>
          <Picture
            image={image}
            alt=""
            sizes="(min-width: 80rem) 24rem, (min-width: 64rem) 30vw, (min-width: 48rem) 46vw, 65vw"
            className="size-full object-cover object-[50%_42%]"
          />
        </div>
      )}
      <div className="flex flex-1 flex-col px-5 pt-4 pb-1 sm:px-6 sm:pt-5 sm:pb-2">
        <p className="text-xs font-medium text-(--industry)">{industry}</p>
        <h3 id={heading} className="mt-0.5 text-lg tracking-tight">
          {name}
        </h3>
        <p className="mt-1.5 mb-1 flex-1 text-sm lg:min-h-24 lg:flex-none">{description}</p>
        <WhatsIncluded
          heading={heading}
          accent="text-(--industry) hover:text-white"
          href="/#contact"
          features={features}
          priced={priced}
          next={
            <ButtonLink href={href} aria-describedby={heading} variant="inverse" size="small">
              {label}
            </ButtonLink>
          }
        />
      </div>
    </article>
  );
}

function SolutionCardSkeleton() {
  return (
    <div className={FRAME}>
      <Skeleton className={PICTURE} />
      <div className="px-5 pt-4 pb-1 sm:px-6 sm:pt-5 sm:pb-2">
        <Skeleton className="h-4 w-24" />
        <Skeleton className="mt-2 h-7 w-2/3" />
        <Skeleton className="mt-3 h-28 w-full" />
        <Skeleton className="my-4 h-5 w-full" />
      </div>
    </div>
  );
}
