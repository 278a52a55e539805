import { Section } from '../ui/section.tsx';
import type { Service } from './catalogue.ts';
import { LIST_SERVICES } from './catalogue-api.ts';
import { CatalogueList, useList } from './catalogue-list.tsx';
import { ServiceCard, ServiceCardSkeleton } from './service-card.tsx';

interface ServicesSectionProps {
  /** Those that the page carries. */
  rows: Service[] | null;
  /** How each is priced, in words, by its id. */
  priced: Readonly<Record<string, string>>;
}

export function ServicesSection({ rows, priced }: ServicesSectionProps) {
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
        {(service) => <ServiceCard service={service} priced={priced[service.id]} />}
      </CatalogueList>
    </Section>
  );
}
