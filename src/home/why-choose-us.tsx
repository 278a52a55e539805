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
    text: 'We secure sign-ins, devices, email, and people, biggest risks first, and keep the paperwork your insurer asks for.',
  },
  {
    Icon: Gauge,
    title: 'Optimized Performance',
    text: 'We measure before we change anything. When things slow down, you get the cause and a plan to fix it.',
  },
  {
    Icon: Layers,
    title: 'Scalable Solutions',
    text: 'Add a desk, a store, or a second building without starting over. Every location gets the same documented setup.',
  },
] as const;

export function WhyChooseUs() {
  const { hours } = useSite().company;
  const monitoring = {
    Icon: Activity,
    title: '24/7 Monitoring',
    text: `Automated monitoring watches your systems day and night. Our team answers ${unbrokenHours(hours)}.`,
  };
  return (
    <Section
      id="why-choose-us"
      heading="Why Choose Us"
      lead="What you get every week, not just when something breaks."
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
