import type { ReactNode } from 'react';
import { useSite } from '../platform/site.ts';
import { HOME_SECTIONS } from '../routes.ts';
import { ArrowLink, ButtonLink } from '../ui/button.tsx';
import { Picture } from '../ui/picture.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { LIST_SERVICES, LIST_SOLUTIONS, type Service, type Solution } from './catalogue.ts';
import { CatalogueList, useList } from './catalogue-list.tsx';

/** `rows` come with the page. */
export function Services({ rows }: { rows: Service[] }) {
  const list = useList(LIST_SERVICES, rows);
  return (
    <CatalogueList
      list={list}
      what="services"
      skeletons={8}
      skeleton={<ServiceCardSkeleton />}
      // On a phone, columns of six that scroll sideways, with the edge of the next in view.
      className="relative grid items-start gap-x-8 gap-y-1 max-sm:-mx-5 max-sm:auto-cols-[93%] max-sm:snap-x max-sm:scroll-px-5 max-sm:grid-flow-col max-sm:grid-rows-[repeat(6,auto)] max-sm:gap-x-5 max-sm:gap-y-0 max-sm:overflow-x-auto max-sm:px-5 max-sm:[&[role=status]]:overflow-hidden sm:grid-cols-2 lg:grid-cols-3"
    >
      {(service) => <ServiceCard service={service} />}
    </CatalogueList>
  );
}

/** A row with a small picture beside the text, except on the narrowest screens. */
const SERVICE_FRAME =
  'grid snap-start grid-cols-[3rem_1fr] content-start gap-x-3 border-t border-line pt-3 max-[22rem]:grid-cols-1 sm:grid-cols-[3.5rem_1fr] sm:gap-x-4 lg:grid-cols-[4rem_1fr]';
const SERVICE_PICTURE = 'aspect-square w-full rounded-control max-[22rem]:hidden';

function ServiceCard({ service }: { service: Service }) {
  const { id, name, description, shortDescription, image, features, priced } = service;
  const { phone } = useSite().company;
  const heading = `service-${id}`;
  return (
    <article className={SERVICE_FRAME}>
      {image && (
        <div className={`${SERVICE_PICTURE} ${NEAR_ONLY}`}>
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
          name={name}
          accent="text-primary hover:text-primary-deep"
          href={HOME_SECTIONS.pricing.path}
          description={shortDescription && description}
          features={features}
          priced={priced}
          actions={
            <>
              <ButtonLink
                href={HOME_SECTIONS.contact.path}
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

/** Preselects the service in the contact form, where the link leads. */
function chooseService(name: string) {
  const choices = document.querySelector<HTMLSelectElement>('#contact-service');
  const choice = [...(choices?.options ?? [])].find(({ text }) => text === name);
  if (choice) choice.selected = true;
}

function ServiceCardSkeleton() {
  return (
    <div className={SERVICE_FRAME}>
      <Skeleton className={SERVICE_PICTURE} />
      <div>
        <Skeleton className="h-6 w-3/5" />
        <Skeleton className="mt-2 h-5 w-4/5" />
        <Skeleton className="my-3 h-5 w-full" />
      </div>
    </div>
  );
}

/** `rows` come with the page. */
export function Solutions({ rows }: { rows: Solution[] }) {
  const list = useList(LIST_SOLUTIONS, rows);
  return (
    <CatalogueList
      list={list}
      what="solutions"
      skeletons={4}
      skeleton={<SolutionCardSkeleton />}
      // On a phone the cards scroll sideways; at 320 px they are stacked (WCAG 1.4.10).
      className="relative -mx-5 grid snap-x scroll-px-5 [&[role=status]]:overflow-hidden auto-cols-[86%] grid-flow-col max-[22rem]:auto-cols-auto max-[22rem]:grid-flow-row gap-4 overflow-x-auto px-5 pb-2 sm:mx-0 sm:auto-cols-auto sm:grid-flow-row sm:grid-cols-2 sm:gap-6 sm:overflow-visible sm:p-0 lg:grid-cols-3"
    >
      {(solution) => <SolutionCard solution={solution} />}
    </CatalogueList>
  );
}

const PLANS = { label: 'See the plans', href: '/#pricing' };

const SOLUTION_FRAME =
  'flex snap-start flex-col overflow-hidden rounded-card bg-night-raised inset-ring inset-ring-night-line';
const SOLUTION_PICTURE = 'aspect-16/7 w-full';

/** The industry's hue comes from `data-industry` (theme.css). */
function SolutionCard({ solution }: { solution: Solution }) {
  const { id, name, description, industry, image, features, priced, link = PLANS } = solution;
  const heading = `solution-${id}`;
  return (
    <article data-industry={industry} className={SOLUTION_FRAME}>
      {image && (
        <div className={`${SOLUTION_PICTURE} ${NEAR_ONLY} border-b-2 border-(--industry)`}>
          <Picture
            image={image}
            alt=""
            sizes="(min-width: 80rem) 24rem, (min-width: 64rem) 30vw, (min-width: 40rem) 46vw, 65vw"
            className="size-full object-cover"
          />
        </div>
      )}
      <div className="flex flex-1 flex-col px-5 pt-4 pb-1 sm:px-6">
        <p className="text-xs font-medium text-(--industry)">{industry}</p>
        <h3 id={heading} className="mt-0.5 text-lg tracking-tight">
          {name}
        </h3>
        <p className="mt-1.5 mb-1 flex-1 text-sm lg:min-h-36 lg:flex-none xl:min-h-24">
          {description}
        </p>
        <WhatsIncluded
          heading={heading}
          name={name}
          accent="text-(--industry) hover:text-white"
          href={HOME_SECTIONS.contact.path}
          features={features}
          priced={priced}
          actions={
            <ButtonLink href={link.href} aria-describedby={heading} variant="inverse" size="small">
              {link.label}
            </ButtonLink>
          }
        />
      </div>
    </article>
  );
}

function SolutionCardSkeleton() {
  return (
    <div className={SOLUTION_FRAME}>
      <Skeleton className={SOLUTION_PICTURE} />
      <div className="px-5 pt-4 pb-1 sm:px-6 sm:pt-5 sm:pb-2">
        <Skeleton className="h-4 w-24" />
        <Skeleton className="mt-2 h-7 w-2/3" />
        <Skeleton className="mt-3 h-28 w-full" />
        <Skeleton className="my-4 h-5 w-full" />
      </div>
    </div>
  );
}

/** A frame that is not rendered keeps browsers from fetching pictures far ahead. */
const NEAR_ONLY = 'overflow-hidden [content-visibility:auto]';

interface WhatsIncludedProps {
  /** The id of the card's heading, and its text. */
  heading: string;
  name: string;
  /** Classes for the color of the link. */
  accent: string;
  href: string;
  description?: string;
  features: readonly string[];
  priced: string;
  /** Links at the end of the details. */
  actions: ReactNode;
}

/** The end of a card: 'Learn more', beside details that open without script. */
function WhatsIncluded(props: WhatsIncludedProps) {
  const { heading, name, accent, href, description, features, priced, actions } = props;
  return (
    // The link is at the end of the summary's line, or below it where there is no room.
    <div className="@container relative text-sm">
      {features.length > 0 && (
        <details className="group/disclosure">
          <summary
            aria-describedby={heading}
            className="inline-flex min-h-10 list-none items-center text-xs text-muted hover:text-ink after:ml-2 sm:after:ml-2.5 after:size-1.75 after:-translate-y-0.5 after:rotate-45 after:border-r-2 after:border-b-2 after:border-current after:opacity-60 group-open/disclosure:after:translate-y-0.5 group-open/disclosure:after:-rotate-135 in-[.on-night]:text-mist in-[.on-night]:hover:text-white [&::-webkit-details-marker]:hidden"
          >
            What’s included
          </summary>
          <div className="grid gap-3 pt-1 pb-4">
            {description && <p>{description}</p>}
            <ul className="grid list-disc gap-1 pl-4.5 text-ink marker:text-primary in-[.on-night]:text-white in-[.on-night]:marker:text-(--industry)">
              {features.map((feature) => (
                <li key={feature}>{feature}</li>
              ))}
            </ul>
            {priced && (
              <p>
                <strong className="font-medium text-ink in-[.on-night]:text-white">
                  How it’s priced:
                </strong>{' '}
                <span>{priced}</span>
              </p>
            )}
            <div className="flex flex-wrap items-center gap-x-4 gap-y-1">{actions}</div>
          </div>
        </details>
      )}
      <ArrowLink
        href={href}
        describedBy={heading}
        about={name}
        className={`${features.length > 0 ? '@min-[14rem]:absolute @min-[14rem]:top-0 @min-[14rem]:right-0' : ''} ${accent}`}
      >
        Learn more
      </ArrowLink>
    </div>
  );
}
