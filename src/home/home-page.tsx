import { Suspense } from 'react';
import { PricingSection } from '../catalogue/pricing-section.tsx';
import { ServicesSection } from '../catalogue/services-section.tsx';
import { SolutionsSection } from '../catalogue/solutions-section.tsx';
import { NewsSection } from '../news/news-section.tsx';
import { FailureBoundary } from '../ui/failure-boundary.tsx';
import { About } from './about.tsx';
import { ContactSection } from './contact-section.tsx';
import { Hero } from './hero.tsx';
import { type HomeContent, homeContent } from './home.ts';
import { PaymentOptions } from './payment-options.tsx';
import { WhyChooseUs } from './why-choose-us.tsx';

export const contentSchema = homeContent;

export default function HomePage({ content }: { content: HomeContent }) {
  const { slides, from, services, solutions, news, testimonials } = content;
  const { plans, addOns, comparison, questions } = content;
  const sections = [
    <WhyChooseUs key="why" />,
    <ServicesSection key="services" rows={services} />,
    <SolutionsSection key="solutions" rows={solutions} />,
    <PaymentOptions key="payment" />,
    <PricingSection key="pricing" {...{ plans, addOns, comparison, questions }} />,
    <NewsSection key="news" articles={news} />,
    <About key="about" testimonials={testimonials} />,
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
