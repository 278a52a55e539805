import { useSite } from '../platform/site.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Section } from '../ui/layout.tsx';
import { Picture } from '../ui/picture.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import type { Service } from './catalogue.ts';
import { LIST_SERVICES } from './catalogue.ts';
import { CatalogueList, useList } from './catalogue-list.tsx';
import { NEAR_ONLY, WhatsIncluded } from './whats-included.tsx';

/** `rows`: those that the page carries. */
export function ServicesSection({ rows }: { rows: Service[] }) {
  const list = useList(LIST_SERVICES, rows);
  return (
    <Section
      id="services"
      heading="Our Professional Services"
      lead="From the wiring in your walls to the apps on your phones, one team handles it all."
      ground="paper"
    >
      <CatalogueList
        list={list}
        what="services"
        skeletons={8}
        skeleton={<ServiceCardSkeleton />}
        // On a phone six below each other and the next six beside them, with their edge in view.
        className="relative grid items-start gap-x-8 gap-y-2 max-sm:-mx-5 max-sm:auto-cols-[93%] max-sm:snap-x max-sm:scroll-px-5 max-sm:grid-flow-col max-sm:grid-rows-[repeat(6,auto)] max-sm:gap-x-5 max-sm:gap-y-0 max-sm:overflow-x-auto max-sm:px-5 max-sm:[&[role=status]]:overflow-hidden sm:grid-cols-2 lg:grid-cols-3"
      >
        {(service) => <ServiceCard service={service} />}
      </CatalogueList>
    </Section>
  );
}

/** A row: the picture is small and stands beside the text; the narrowest screens have room for one of them. */
const FRAME =
  'grid snap-start grid-cols-[3rem_1fr] content-start gap-x-3 border-t border-line pt-3 max-[22rem]:grid-cols-1 sm:grid-cols-[3.5rem_1fr] sm:gap-x-4 sm:pt-4 lg:grid-cols-[4rem_1fr]';
const PICTURE = 'aspect-square w-full rounded-control max-[22rem]:hidden';

function ServiceCard({ service }: { service: Service }) {
  const { id, name, description, shortDescription, image, features, priced } = service;
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

function ServiceCardSkeleton() {
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
