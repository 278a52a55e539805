import { CONTENT_PATHS, HOME_SECTIONS } from '../routes.ts';
import { Badge } from '../ui/badge.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Disclosure, PhoneDisclosure } from '../ui/disclosure.tsx';
import { Island } from '../ui/island.tsx';
import { Section } from '../ui/layout.tsx';
import { TextLink } from '../ui/rich-text.tsx';
import type { Comparison, Plan, Question } from './catalogue.ts';
import { PlanComparison } from './plan-comparison.tsx';
import { Planner } from './planner.tsx';
import { Plans } from './plans.tsx';
import type { AddOnPrices } from './pricing.ts';

interface PricingSectionProps {
  plans: Plan[];
  addOns: AddOnPrices;
  words: { lead: string; custom: string };
  comparison: Comparison;
  questions: readonly Question[];
}

export function PricingSection(props: PricingSectionProps) {
  const { words, plans, addOns, comparison, questions } = props;
  return (
    <Section
      id="pricing"
      heading="Transparent Pricing"
      lead={words.lead}
      afterLead={<Badge tone="primary">Monthly Billing</Badge>}
    >
      <Island>
        <Plans plans={plans} />
      </Island>
      <Island>
        <Planner plans={plans} prices={addOns} />
      </Island>
      <PlanComparison plans={plans} comparison={comparison} />
      {questions.length > 0 && <PlanQuestions questions={questions} />}
      <div className="mt-8 flex flex-wrap lg:mt-16 items-center justify-between gap-x-12 gap-y-3 rounded-card bg-paper px-5 py-5 sm:px-8 sm:py-6">
        <div>
          <h3 className="text-base">Need a custom solution?</h3>
          <p className="text-sm">{words.custom}</p>
        </div>
        <ButtonLink href={HOME_SECTIONS.contact.path} variant="quiet">
          Ask for a quote
        </ButtonLink>
      </div>
    </Section>
  );
}

function PlanQuestions({ questions }: { questions: readonly Question[] }) {
  return (
    <PhoneDisclosure
      className="max-md:border-b max-md:border-line md:mt-16 lg:mt-24"
      summary={<h3 className="text-base leading-14">Questions about the plans</h3>}
    >
      <div className="gap-x-8 max-md:pb-6 lg:grid lg:grid-cols-12">
        <div className="lg:col-span-4">
          <h3 className="text-xl tracking-tight max-md:hidden">Questions about the plans</h3>
          <p className="text-sm md:mt-2">
            These are the short answers. The details are in our{' '}
            <TextLink href={CONTENT_PATHS.termsOfService}>Terms of Service</TextLink>.
          </p>
        </div>
        <div className="mt-4 border-t border-line max-md:pl-4 lg:col-span-8 lg:mt-0">
          {questions.map(({ question, answer }) => (
            <Disclosure key={question} summary={question}>
              <div className="grid max-w-text gap-3 text-sm">
                {answer.map((paragraph) => (
                  <p key={paragraph}>{paragraph}</p>
                ))}
              </div>
            </Disclosure>
          ))}
        </div>
      </div>
    </PhoneDisclosure>
  );
}
