/** The report, which prints on two pages, and what to do next on the screen. */

import type { RefObject } from 'react';
import { formatDay } from '../company/days.ts';
import { Letterhead } from '../company/logo.tsx';
import { saveDraft } from '../contact/visitor.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { useSite } from '../platform/site.ts';
import { CHECKOUT_PAGES, CONTENT_PATHS, HOME_SECTIONS } from '../routes.ts';
import { ButtonLink, PrintButton } from '../ui/button.tsx';
import { CallForm } from '../ui/call-form.tsx';
import { Notice } from '../ui/notice.tsx';
import { TextLink } from '../ui/rich-text.tsx';
import {
  type Answers,
  type FilledForm,
  type SafeguardsContent,
  SEND_REPORT,
  stepOf,
} from './check.ts';
import { AnswerTable, ElementTable } from './result-tables.tsx';
import { countsInWords, draftMessage, HOW_ORDERED, NOT_ADVICE, type Result } from './score.ts';

interface CheckResultProps {
  heading: RefObject<HTMLHeadingElement | null>;
  result: Result;
  filled: FilledForm;
  plans: SafeguardsContent['plans'];
  /** The plan whose customers get the evidence file. */
  evidencePlan: number;
}

export function CheckResult(props: CheckResultProps) {
  const { heading, result, filled, plans, evidencePlan } = props;
  const { unanswered } = result;
  const { company, publicUrl, mail } = useSite();
  return (
    <div id="result">
      <Letterhead />
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div>
          <h2
            ref={heading}
            tabIndex={-1}
            className="scroll-mt-28 text-2xl tracking-[-0.03em] print:text-xl"
          >
            {filled.store ? (
              <span>
                Safeguards self-check: <span className="wrap-anywhere">{filled.store}</span>
              </span>
            ) : (
              'Your Safeguards self-check'
            )}
          </h2>
          <p className="mt-3 text-lg print:mt-1 print:text-sm">
            {`${formatDay(company, Date.now())}. The nine elements and the notice: ${countsInWords(result)}.`}
          </p>
        </div>
        <div className="flex flex-wrap gap-3 print:hidden">
          <PrintButton variant="primary" />
          <ButtonLink href={stepOf('consumers')} variant="quiet">
            Change my answers
          </ButtonLink>
        </div>
      </div>
      <p className="mt-4 max-w-text text-sm print:mt-1 print:max-w-none print:text-[8.5pt] print:leading-snug">
        <strong className="font-semibold text-ink">{NOT_ADVICE}</strong>
        <span>
          {' It reflects your answers and verifies nothing. For your own store, ask your attorney.'}
        </span>
        {unanswered > 0 && (
          <span>
            {` ${unanswered === 1 ? 'One question has' : `${unanswered} questions have`} no answer and ${unanswered === 1 ? 'counts' : 'count'} as not known.`}
          </span>
        )}
        {result.small && (
          <span>
            {
              ' With fewer than 5,000 consumers, 16 CFR 314.6 drops four requirements. Everything else still applies.'
            }
          </span>
        )}
      </p>
      <FirstSteps result={result} />
      <ElementTable elements={result.elements} />
      <AnswerTable elements={result.elements} />
      <div className="mt-16 grid gap-x-8 gap-y-10 lg:grid-cols-12 print:hidden">
        <div className="lg:col-span-7">
          <NextSteps result={result} plans={plans} evidencePlan={evidencePlan} />
        </div>
        {mail && (
          <div className="lg:col-span-5">
            <MailReport answers={filled.answers} />
          </div>
        )}
      </div>
      <p className="hidden text-[8pt] text-muted print:mt-3 print:block">
        {`Made at ${publicUrl}/safeguards-check from the answers on this page. ${NOT_ADVICE} Questions? ${company.name}, ${company.phone.display}, ${company.email}.`}
      </p>
    </div>
  );
}

function FirstSteps({ result: { first } }: { result: Result }) {
  return (
    <div className="mt-10 print:mt-3">
      <h3 className="text-xl tracking-tight print:text-base">What to do first</h3>
      {first.length === 0 ? (
        <p className="mt-3 print:text-[9pt]">
          By your answers everything that the Rule asks of you is in place. Set a date for your next
          check.
        </p>
      ) : (
        <>
          <ol className="mt-5 grid gap-4 md:grid-cols-3 print:mt-1.5 print:grid-cols-1 print:gap-1">
            {first.map(({ question }, index) => (
              <li
                key={question.id}
                className="rounded-card border border-line bg-paper p-5 print:rounded-none print:border-0 print:border-l-2 print:border-primary print:bg-transparent print:py-0 print:pr-0 print:pl-3 print:text-[9pt] print:leading-snug"
              >
                <span className="flex items-baseline justify-between gap-3 text-sm max-[18rem]:flex-wrap print:inline print:text-[9pt]">
                  <strong className="font-semibold text-ink">
                    {`${index + 1}. ${question.short}`}
                  </strong>{' '}
                  <span className="text-xs whitespace-nowrap text-muted print:text-[8pt]">
                    {question.cite}
                  </span>
                </span>{' '}
                <span className="mt-2 block text-sm print:inline print:text-[9pt]">
                  {question.step}
                </span>
              </li>
            ))}
          </ol>
          <p className="mt-3 text-xs text-muted print:mt-1.5 print:text-[8pt] print:leading-snug">
            {HOW_ORDERED}
          </p>
        </>
      )}
    </div>
  );
}

type NextStepsProps = Pick<CheckResultProps, 'result' | 'plans' | 'evidencePlan'>;

function NextSteps({ result, plans, evidencePlan }: NextStepsProps) {
  const { name, phone } = useSite().company;
  const open = result.elements.filter(
    ({ state }) => state !== 'in-place' && state !== 'not-required',
  );
  const plan = mostHelpfulPlan(open, plans);
  const named = (ids: readonly number[]) =>
    plans
      .filter(({ id }) => ids.includes(id))
      .map((plan) => plan.name)
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
                <span>{what}</span> <span className="text-muted">{`(${named(ids)})`}</span>
              </dd>
            ))}
            <dd className="mt-1 text-muted">{element.limits}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-6 text-sm">
        Compliance stays your responsibility, even when we do the work. See{' '}
        <TextLink href={CONTENT_PATHS.sampleEvidence}>a sample of the evidence file</TextLink>
        <span>{` that ${named([evidencePlan])} customers get.`}</span>
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        <ButtonLink
          href={HOME_SECTIONS.contact.path}
          onClick={() => saveDraft(draftMessage(result))}
        >
          Talk to us about it
        </ButtonLink>
        <ButtonLink href={`tel:${phone.tel}`} variant="quiet">
          {`Call ${phone.display}`}
        </ButtonLink>
        {plan && (
          <ButtonLink
            href={`${CHECKOUT_PAGES.checkout.path}?plan=${plan.id}#save-quote`}
            variant="quiet"
          >
            {`Save a quote for ${plan.name}`}
          </ButtonLink>
        )}
        <ButtonLink href={HOME_SECTIONS.pricing.path} variant="quiet">
          Compare plans and prices
        </ButtonLink>
      </div>
    </>
  );
}

/** The plan that helps with the most open elements; of several, the first. */
function mostHelpfulPlan(open: Result['elements'], plans: SafeguardsContent['plans']) {
  const helps = (id: number) =>
    open.filter(({ element }) => element.ours.some((service) => service.plans.includes(id))).length;
  const [best] = plans.toSorted((a, b) => helps(b.id) - helps(a.id));
  return best && helps(best.id) > 0 ? best : undefined;
}

function MailReport({ answers }: { answers: Answers }) {
  return (
    <CallForm
      label="Email me this report"
      schema={SEND_REPORT.body}
      read={(field) => ({ email: field('email'), answers })}
      save={async (body) => ({ ...(await fetchCall(SEND_REPORT, { body })), email: body.email })}
      failed="We couldn’t reach our server. Please try again, or print this page."
      button="Email the report"
      className="rounded-card border border-line bg-paper p-6"
    >
      {(line, sent) => (
        <>
          <h3 className="text-lg">Email me this report</h3>
          <p className="text-sm">
            We send one email, to this address only. To prevent abuse, we keep the address and the
            result for one day. We don’t add you to any list.
          </p>
          {line('Email', 'email', {
            type: 'email',
            autoComplete: 'email',
            inputMode: 'email',
            required: true,
          })}
          {sent && (
            <Notice kind="success">
              The report is on its way to <bdi>{sent.email}</bdi>.
            </Notice>
          )}
        </>
      )}
    </CallForm>
  );
}
