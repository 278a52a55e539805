import { ArrowLink } from '../ui/arrow-link.tsx';
import { PictureCard, PictureCardSkeleton } from '../ui/picture-card.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { ServiceRow } from './read-catalogue.ts';

export function ServiceCard({ service }: { service: ServiceRow }) {
  const { id, name, description, image } = service;
  const heading = `service-${id}`;
  return (
    <PictureCard image={image} wideSizes="(min-width: 80rem) 18rem, (min-width: 64rem) 30vw">
      <h3 id={heading} className="text-base">
        {name}
      </h3>
      <p className="mt-1 flex-1 text-sm sm:mt-2">{description}</p>
      <ArrowLink href="/#pricing" describedBy={heading}>
        Learn more
      </ArrowLink>
    </PictureCard>
  );
}

export function ServiceCardSkeleton() {
  return (
    <PictureCardSkeleton>
      <Skeleton className="h-7 w-3/4" />
      <Skeleton className="mt-2 h-30 w-full" />
      <Skeleton className="my-3 h-5 w-24" />
    </PictureCardSkeleton>
  );
}
