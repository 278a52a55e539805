import Check from 'lucide-react/icons/check';
import { SAFEGUARDS } from '../safeguards/safeguards-address.ts';
import { ArrowLink } from '../ui/arrow-link.tsx';
import { Picture } from '../ui/picture.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Solution } from './catalogue.ts';

/** Where an industry has a tool of its own. */
const TOOLS: Record<string, { label: string; href: string }> = {
  Automotive: { label: 'Take the Safeguards check', href: SAFEGUARDS.path },
};

const FRAME =
  'flex snap-start flex-col overflow-hidden rounded-card bg-night-raised inset-ring inset-ring-night-line';

/** The industry's hue comes from `data-industry` (theme.css). */
export function SolutionCard({ solution }: { solution: Solution }) {
  const { id, name, description, industry, image, features } = solution;
  const heading = `solution-${id}`;
  const tool = TOOLS[industry];
  return (
    <article data-industry={industry} className={FRAME}>
      {image && (
        <Picture
          image={image}
          alt=""
          sizes="(min-width: 80rem) 24rem, (min-width: 48rem) 46vw, 86vw"
          className="aspect-5/3 w-full border-b-2 border-(--industry) object-cover"
        />
      )}
      <div className="flex flex-1 flex-col p-6 sm:p-8">
        <p className="text-xs font-medium text-(--industry)">{industry}</p>
        <h3 id={heading} className="mt-1 text-xl tracking-tight">
          {name}
        </h3>
        <p className="mt-3 text-sm">{description}</p>
        <ul className="mt-5 mb-4 grid gap-2 text-sm text-white">
          {features.map((feature) => (
            <li key={feature} className="flex gap-2.5">
              <Check className="mt-1 size-4 shrink-0 text-(--industry)" />
              {feature}
            </li>
          ))}
        </ul>
        <div className="mt-auto -mb-2 flex flex-wrap gap-x-6">
          <ArrowLink
            href="/#contact"
            describedBy={heading}
            className="text-(--industry) hover:text-white"
          >
            Learn more
          </ArrowLink>
          {tool && (
            <ArrowLink
              href={tool.href}
              describedBy={heading}
              className="text-(--industry) hover:text-white"
            >
              {tool.label}
            </ArrowLink>
          )}
        </div>
      </div>
    </article>
  );
}

export function SolutionCardSkeleton() {
  return (
    <div className={FRAME}>
      <Skeleton className="aspect-5/3 w-full" />
      <div className="p-6 sm:p-8">
        <Skeleton className="h-4 w-24" />
        <Skeleton className="mt-3 h-7 w-2/3" />
        <Skeleton className="mt-4 h-24 w-full" />
        <Skeleton className="mt-6 h-48 w-4/5" />
        <Skeleton className="mt-8 h-5 w-24" />
      </div>
    </div>
  );
}
