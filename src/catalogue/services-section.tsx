import { Section } from '../ui/section.tsx';
import { LIST_SERVICES } from './catalogue-contracts.ts';
import { CatalogueList } from './catalogue-list.tsx';
import { readServices } from './read-catalogue.ts';
import { ServiceCard, ServiceCardSkeleton } from './service-card.tsx';
import { useList } from './use-list.ts';

interface ServicesSectionProps {
  /** As the call answers. */
  services: unknown;
  /** How many there will be, where they are awaited. */
  awaited?: number;
}

export function ServicesSection({ services, awaited }: ServicesSectionProps) {
  const list = useList(LIST_SERVICES, readServices, readServices(services));
  return (
    <Section
      id="services"
      heading="Our Professional Services"
      lead="From the wiring in your walls to the apps on your phones, one team handles it all."
      ground="paper"
    >
      <CatalogueList
        list={list}
        loading="Loading services"
        skeletons={8}
        awaited={awaited}
        skeleton={<ServiceCardSkeleton />}
        error="Error loading services. Please try again later."
        className="grid gap-x-6 gap-y-8 sm:grid-cols-2 sm:gap-y-12 lg:grid-cols-3 xl:grid-cols-4"
      >
        {(service) => <ServiceCard service={service} />}
      </CatalogueList>
    </Section>
  );
}
