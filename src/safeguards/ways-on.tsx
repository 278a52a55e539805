import { draftMessage } from '../contact/contact-fields.ts';
import { useSite } from '../platform/site.ts';
import { ButtonLink } from '../ui/button.tsx';
import { TextLink } from '../ui/text/rich-text.tsx';
import { draftOf, isOpen } from './result-words.ts';
import type { SafeguardsContent } from './safeguards-content.ts';
import type { Result } from './score.ts';

interface WaysOnProps {
  result: Result;
  plans: SafeguardsContent['plans'];
}

/** What our plans do about what is open, what they don't, and how to go on. */
export function WaysOn({ result, plans }: WaysOnProps) {
  const { name, phone } = useSite().company;
  const open = result.elements.filter(isOpen);
  const plan = fittingPlan(open, plans);
  const named = (ids: readonly number[]) =>
    plans
      .filter(({ id }) => ids.includes(id))
      .map((each) => each.name)
      .join(', ');
  return (
    <>
      <h3 className="text-xl tracking-tight">
        {open.length > 0 ? `What ${name} can do about it` : 'Keep it that way'}
      </h3>
      <dl className="mt-5 grid gap-5 text-sm">
        {open.map(({ element }) => (
          <div key={element.id} className="border-t border-line pt-4">
            <dt className="font-semibold text-ink">{element.name}</dt>
            {element.ours.map(({ plans: ids, what }) => (
              <dd key={what} className="mt-1">
                {what} <span className="text-muted">({named(ids)})</span>
              </dd>
            ))}
            <dd className="mt-1 text-muted">{element.limits}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-6 text-sm">
        Compliance stays your responsibility, even when we do the work. See{' '}
        <TextLink href="/sample-evidence">a sample of the evidence file</TextLink> that Enterprise
        customers get.
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        <ButtonLink href="/#contact" onClick={() => draftMessage(draftOf(result))}>
          Talk to us about it
        </ButtonLink>
        <ButtonLink href={`tel:${phone.tel}`} variant="quiet">
          Call {phone.display}
        </ButtonLink>
        {plan && (
          <ButtonLink href={`/checkout?plan=${plan.id}#save-quote`} variant="quiet">
            Save a quote for {plan.name}
          </ButtonLink>
        )}
        <ButtonLink href="/#pricing" variant="quiet">
          Compare plans and prices
        </ButtonLink>
      </div>
    </>
  );
}

/** The plan that does something for most of what is open; of several the one that is named first. */
function fittingPlan(open: Result['elements'], plans: SafeguardsContent['plans']) {
  const helps = (id: number) =>
    open.filter(({ element }) => element.ours.some((each) => each.plans.includes(id))).length;
  const [best] = plans.toSorted((a, b) => helps(b.id) - helps(a.id));
  return best && helps(best.id) > 0 ? best : undefined;
}
