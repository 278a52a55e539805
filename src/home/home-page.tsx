import { Suspense } from 'react';
import { readHowPriced } from '../catalogue/how-priced.ts';
import { PricingSection } from '../catalogue/pricing-section.tsx';
import { ServicesSection } from '../catalogue/services-section.tsx';
import { SolutionsSection } from '../catalogue/solutions-section.tsx';
import { NewsSection } from '../news/news-section.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { About } from './about.tsx';
import { ContactSection } from './contact-section.tsx';
import { Hero } from './hero.tsx';
import type { HomeContent } from './home.ts';
import { PaymentOptions } from './payment-options.tsx';
import { readTestimonials } from './testimonials.tsx';
import { WhyChooseUs } from './why-choose-us.tsx';

export { readHome as readContent } from './home.ts';

export default function HomePage({ content }: { content: HomeContent }) {
  const { slides, from, services, solutions, plans, pricing, news, testimonials } = content;
  const priced = readHowPriced(pricing);
  const sections = [
    <WhyChooseUs key="why" />,
    <ServicesSection key="services" rows={services} priced={priced.services} />,
    <SolutionsSection key="solutions" rows={solutions} priced={priced.solutions} />,
    <PaymentOptions key="payment" />,
    <PricingSection key="pricing" plans={plans} details={pricing} />,
    <NewsSection key="news" articles={news} />,
    <About key="about" testimonials={readTestimonials(testimonials) ?? []} />,
    <ContactSection key="contact" />,
  ];
  return (
    <>
      <FailureBoundary>
        <Hero slides={slides} from={from} />
      </FailureBoundary>
      {/* Each is hydrated by itself, the one that is touched before the others. */}
      {sections.map((section) => (
        <Suspense key={section.key}>{section}</Suspense>
      ))}
    </>
  );
}
