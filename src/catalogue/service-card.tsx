import { useSite } from '../platform/site.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Picture } from '../ui/picture.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Service } from './catalogue.ts';
import { NEAR_ONLY } from './near-only.ts';
import { WhatsIncluded } from './whats-included.tsx';

/** A row: the picture is small and stands beside the text; the narrowest screens have room for one of them. */
const FRAME =
  'grid snap-start grid-cols-[3rem_1fr] content-start gap-x-3 border-t border-line pt-3 max-[22rem]:grid-cols-1 sm:grid-cols-[3.5rem_1fr] sm:gap-x-4 sm:pt-4 lg:grid-cols-[4rem_1fr]';
const PICTURE = 'aspect-square w-full rounded-control max-[22rem]:hidden';

export function ServiceCard({ service, priced }: { service: Service; priced?: string }) {
  const { id, name, description, shortDescription, image, features } = service;
  const { phone } = useSite().company;
  const heading = `service-${id}`;
  return (
    <article className={FRAME}>
      {image && (
        <div className={`${PICTURE} ${NEAR_ONLY}`}>
          <Picture
            image={image}
            alt=""
            sizes="(min-width: 64rem) 4rem, 3.5rem"
            className="size-full bg-paper-deep object-cover"
          />
        </div>
      )}
      <div className="min-w-0">
        <h3 id={heading} className="text-base leading-6 max-sm:text-sm max-sm:tracking-tight">
          {name}
        </h3>
        <p className="text-sm sm:mt-0.5">{shortDescription || description}</p>
        <WhatsIncluded
          heading={heading}
          accent="text-primary hover:text-primary-deep"
          href="/#pricing"
          description={shortDescription && description}
          features={features}
          priced={priced}
          next={
            <>
              <ButtonLink
                href="/#contact"
                aria-describedby={heading}
                variant="quiet"
                size="small"
                onClick={() => chooseService(name)}
              >
                Ask for a quote
              </ButtonLink>
              <a
                href={`tel:${phone.tel}`}
                className="inline-flex min-h-10 items-center font-medium whitespace-nowrap text-primary tabular-nums hover:text-primary-deep"
              >
                {phone.display}
              </a>
            </>
          }
        />
      </div>
    </article>
  );
}

/** In the message form, which the link leads to; without script the visitor chooses there. */
function chooseService(name: string) {
  const choices = document.querySelector<HTMLSelectElement>('#contact-service');
  const choice = [...(choices?.options ?? [])].find(({ text }) => text === name);
  if (choice) choice.selected = true;
}

export function ServiceCardSkeleton() {
  return (
    <div className={FRAME}>
      <Skeleton className={PICTURE} />
      <div>
        <Skeleton className="h-6 w-3/5" />
        <Skeleton className="mt-2 h-5 w-4/5" />
        <Skeleton className="my-3 h-5 w-full" />
      </div>
    </div>
  );
}
