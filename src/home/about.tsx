import type { Testimonial } from '../catalogue/catalogue.ts';
import { useSite } from '../platform/site.ts';
import { ArrowLink } from '../ui/button.tsx';
import { Section } from '../ui/layout.tsx';
import { Testimonials } from './testimonials.tsx';

const POINTS = [
  {
    title: 'Experienced Team',
    text: 'Engineers who know networks, phones, Microsoft\u00a0365, and dealership systems.',
  },
  {
    title: 'Secure Solutions',
    text: 'Access is limited, logged, and reviewed, with the records your auditor or insurer asks for.',
  },
  {
    title: 'Client-Focused',
    text: 'We explain each option and its cost in plain English. You make the call.',
  },
];

/** Where a visitor can check it. */
const PROOFS = [
  { href: '/trust', label: 'What you can check about us' },
  { href: '/ten-questions', label: 'Our answers to ten questions' },
];

export function About({ testimonials }: { testimonials: readonly Testimonial[] }) {
  const { name, about } = useSite().company;
  return (
    <Section id="about" heading={`About ${name}`} lead={about} layout="beside">
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2 sm:gap-y-8">
        <div className="border-t border-line pt-4 sm:pt-6">
          <h3 className="text-lg tracking-tight">Our Mission</h3>
          <p className="mt-1.5 text-sm">
            Keep your business running. When systems fail, your people wait and your customers
            leave. Our job is to make that rare and brief.
          </p>
        </div>
        <div className="border-t border-line pt-4 sm:pt-6">
          <h3 className="text-lg tracking-tight">Our Approach</h3>
          <p className="mt-1.5 text-sm">
            We document what you have, fix what’s most likely to take you down, then monitor, patch,
            and review it with you on a schedule.
          </p>
        </div>
        <div className="on-night rounded-card p-5 sm:col-span-2 sm:p-8">
          <h3 id="why-choose" className="text-lg tracking-tight">
            Why Choose {name}
          </h3>
          <dl className="mt-4 grid gap-x-8 gap-y-4 md:grid-cols-3">
            {POINTS.map(({ title, text }) => (
              <div key={title} className="border-t border-night-line pt-3">
                <dt className="text-base font-medium text-white">{title}</dt>
                <dd className="text-sm">{text}</dd>
              </div>
            ))}
          </dl>
          <div className="mt-3 -mb-3 flex flex-wrap gap-x-8">
            {PROOFS.map(({ href, label }) => (
              <ArrowLink
                key={href}
                href={href}
                describedBy="why-choose"
                className="text-tide hover:text-white"
              >
                {label}
              </ArrowLink>
            ))}
          </div>
        </div>
      </div>
      {testimonials.length > 0 && <Testimonials testimonials={testimonials} />}
    </Section>
  );
}
