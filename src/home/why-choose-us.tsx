import Activity from 'lucide-react/icons/activity';
import Gauge from 'lucide-react/icons/gauge';
import Layers from 'lucide-react/icons/layers';
import ShieldCheck from 'lucide-react/icons/shield-check';
import { unbrokenHours } from '../company/hours.ts';
import { useSite } from '../platform/site.ts';
import { Section } from '../ui/layout.tsx';

const REASONS = [
  {
    Icon: ShieldCheck,
    title: 'Comprehensive Security',
    text: 'We secure sign-ins, devices, email, and people, biggest risks first.',
  },
  {
    Icon: Gauge,
    title: 'Optimized Performance',
    text: 'When things slow down, you get the cause and a plan to fix it.',
  },
  {
    Icon: Layers,
    title: 'Scalable Solutions',
    text: 'Add a desk or a building. Every location gets the same documented setup.',
  },
] as const;

export function WhyChooseUs() {
  const { hours } = useSite().company;
  const monitoring = {
    Icon: Activity,
    title: '24/7 Monitoring',
    text: `Automated monitoring, day and night. Our team answers ${unbrokenHours(hours)}.`,
  };
  return (
    <Section
      id="why-choose-us"
      heading="Why Choose Us"
      lead="What you get every week, not just when something breaks."
      layout="beside"
    >
      <ul className="grid gap-x-8 gap-y-3 sm:grid-cols-2 sm:gap-y-8">
        {[...REASONS, monitoring].map(({ Icon, title, text }) => (
          <li
            key={title}
            className="grid grid-cols-[1.5rem_1fr] content-start gap-x-4 border-t border-line pt-3 sm:pt-4"
          >
            <Icon className="row-span-2 size-6 text-primary" strokeWidth={1.75} />
            <h3 className="text-base leading-6">{title}</h3>
            <p className="mt-1 text-sm">{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
