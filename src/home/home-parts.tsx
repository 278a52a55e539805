/** What the home page shows besides its pictures; the browser fetches it as one file. */
import { Suspense } from 'react';
import { readHowPriced } from '../catalogue/how-priced.ts';
import { PricingSection } from '../catalogue/prices/pricing-section.tsx';
import { ServicesSection } from '../catalogue/services-section.tsx';
import { SolutionsSection } from '../catalogue/solutions-section.tsx';
import { NewsSection } from '../news/news-section.tsx';
import { farPart } from '../platform/browser/far-part.tsx';
import { RestOfPage } from '../platform/browser/rest-of-page.tsx';
import { fields, number } from '../platform/read.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { About } from './about.tsx';
import { ContactSection } from './contact-section.tsx';
import type { HomeContent } from './home.ts';
import { PaymentOptions } from './payment-options.tsx';
import { readTestimonials } from './testimonials.tsx';
import { WhyChooseUs } from './why-choose-us.tsx';

export { HeroFacts, HeroWords } from './hero-words.tsx';

const PriceAnswers = farPart(
  async () => (await import('../catalogue/prices/price-answers.tsx')).PriceAnswers,
  <div className="min-h-500 pt-14 lg:min-h-600 lg:pt-20">
    <Skeleton className="h-256 w-full lg:h-139" />
  </div>,
);

const readAwaited = fields({ services: number, solutions: number });

/** Each of them is taken over by itself, the one that is touched before the others. */
export function HomeSections({ content }: { content: HomeContent }) {
  const { services, solutions, plans, pricing, news, testimonials } = content;
  const awaited = readAwaited(content.awaited);
  const priced = readHowPriced(pricing);
  const sections = [
    <WhyChooseUs key="why" />,
    <ServicesSection
      key="services"
      rows={services}
      priced={priced.services}
      awaited={awaited?.services}
    />,
    <SolutionsSection
      key="solutions"
      rows={solutions}
      priced={priced.solutions}
      awaited={awaited?.solutions}
    />,
    <PaymentOptions key="payment" />,
    <PricingSection key="pricing" plans={plans} answers={<PriceAnswers details={pricing} />} />,
    <NewsSection key="news" articles={news} />,
    <About key="about" testimonials={readTestimonials(testimonials) ?? []} />,
    <ContactSection key="contact" />,
  ];
  return (
    <RestOfPage>
      {sections.map((section) => (
        <Suspense key={section.key}>{section}</Suspense>
      ))}
    </RestOfPage>
  );
}
