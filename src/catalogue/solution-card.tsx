import { SAFEGUARDS } from '../safeguards/safeguards-address.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Picture } from '../ui/picture.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Solution } from './catalogue.ts';
import { NEAR_ONLY } from './near-only.ts';
import { WhatsIncluded } from './whats-included.tsx';

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
export function SolutionCard({ solution, priced }: { solution: Solution; priced?: string }) {
  const { id, name, description, industry, image, features } = solution;
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

export function SolutionCardSkeleton() {
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
