/** What the home page shows besides its pictures; the browser fetches it as one file. */
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

export { HeroFacts, HeroWords } from './hero-words.tsx';

/** Each of them is taken over by itself, the one that is touched before the others. */
export function HomeSections({ content }: { content: HomeContent }) {
  const { services, solutions, plans, awaited, news, testimonials } = content;
  return [
    <WhyChooseUs key="why" />,
    <ServicesSection key="services" services={services} awaited={awaited?.services} />,
    <SolutionsSection key="solutions" solutions={solutions} awaited={awaited?.solutions} />,
    <PaymentOptions key="payment" />,
    <PricingSection key="pricing" plans={plans} />,
    <NewsSection key="news" articles={news} />,
    <About key="about" testimonials={testimonials} />,
    <ContactSection key="contact" />,
  ].map((section) => <Suspense key={section.key}>{section}</Suspense>);
}
