import { Suspense } from 'react';
import { PricingSection } from '../catalogue/pricing-section.tsx';
import { ServicesSection } from '../catalogue/services-section.tsx';
import { SolutionsSection } from '../catalogue/solutions-section.tsx';
import { NewsSection } from '../news/news-section.tsx';
import { About } from './about.tsx';
import { ContactSection } from './contact-section.tsx';
import type { HomeContent } from './home.ts';
import { PaymentOptions } from './payment-options.tsx';
import { WhyChooseUs } from './why-choose-us.tsx';

/** What stands below the first screen. Each is hydrated by itself, the one that is touched before the others. */
export function HomeSections({ content }: { content: HomeContent }) {
  const { services, solutions, plans, addOns, comparison, questions, news, testimonials } = content;
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
  return sections.map((section) => <Suspense key={section.key}>{section}</Suspense>);
}
