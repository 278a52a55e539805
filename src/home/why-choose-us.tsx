import Activity from 'lucide-react/icons/activity';
import Gauge from 'lucide-react/icons/gauge';
import Layers from 'lucide-react/icons/layers';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { unbrokenHours } from '../company/hours.ts';
import { useSite } from '../platform/site.ts';
import { Section } from '../ui/section.tsx';

const REASONS = [
  {
    Icon: ShieldCheck,
    title: 'Comprehensive Security',
    text: 'Sign-in, devices, mail and people, protected in the order that lowers your risk fastest, with the paperwork your insurer asks for.',
  },
  {
    Icon: Gauge,
    title: 'Optimized Performance',
    text: 'We measure before we change. A slow afternoon gets a cause you can see and a fix you can plan.',
  },
  {
    Icon: Layers,
    title: 'Scalable Solutions',
    text: 'Add a desk, a store or a second building without starting over: the same setup, documented, in each place.',
  },
] as const;

export function WhyChooseUs() {
  const { hours } = useSite().company;
  const monitoring = {
    Icon: Activity,
    title: '24/7 Monitoring',
    text: `Automated monitoring watches your systems day and night. People answer the desk ${unbrokenHours(hours)}.`,
  };
  return (
    <Section
      id="why-choose-us"
      heading="Why Choose Us"
      lead="What you get in an ordinary week, and not only on the bad days."
      layout="beside"
    >
      <ul className="grid gap-x-8 gap-y-10 sm:grid-cols-2">
        {[...REASONS, monitoring].map(({ Icon, title, text }) => (
          <li key={title} className="border-t border-line pt-6">
            <Icon className="size-6 text-primary" strokeWidth={1.75} />
            <h3 className="mt-4 text-base">{title}</h3>
            <p className="mt-2 text-sm">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
