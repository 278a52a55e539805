import { PricingSection } from '../catalogue/pricing-section.tsx';
import { ServicesSection } from '../catalogue/services-section.tsx';
import { SolutionsSection } from '../catalogue/solutions-section.tsx';
import { NewsSection } from '../news/news-section.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { About } from './about.tsx';
import { ContactSection } from './contact-section.tsx';
import { Hero } from './hero.tsx';
import { HeroCarousel } from './hero-carousel.tsx';
import type { HomeContent } from './home.ts';
import { PaymentOptions } from './payment-options.tsx';
import { WhyChooseUs } from './why-choose-us.tsx';

export { readHome as readContent } from './home.ts';

export default function HomePage({ content }: { content: HomeContent }) {
  return (
    <>
      <FailureBoundary>
        <Hero>
          <HeroCarousel slides={content.slides} />
        </Hero>
      </FailureBoundary>
      <WhyChooseUs />
      <ServicesSection services={content.services} awaited={content.awaited?.services} />
      <SolutionsSection solutions={content.solutions} awaited={content.awaited?.solutions} />
      <PaymentOptions />
      <PricingSection plans={content.plans} />
      <NewsSection articles={content.news} />
      <About testimonials={content.testimonials} />
      <ContactSection />
    </>
  );
}
