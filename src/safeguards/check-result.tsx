/** The report: two printed pages, and on the screen what to do about it. */
import Printer from 'lucide-react/icons/printer';
import { type RefObject, useSyncExternalStore } from 'react';
import { Letterhead } from '../company/letterhead.tsx';
import { useSite } from '../platform/site.ts';
import { Badge } from '../ui/badge.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { longDay } from '../ui/long-day.ts';
import { AnswerTable } from './answer-table.tsx';
import { type Filled, STATE_LABELS, type State } from './answers.ts';
import { MailReport } from './mail-report.tsx';
import { countsInWords, HOW_ORDERED, NOT_ADVICE } from './result-words.ts';
import { stepOf } from './safeguards-address.ts';
import type { SafeguardsContent } from './safeguards-content.ts';
import type { ElementResult, Result } from './score.ts';
import { WaysOn } from './ways-on.tsx';

const TONES = {
  'in-place': 'primary',
  partly: 'amber',
  missing: 'danger',
  unknown: 'neutral',
  'not-required': 'neutral',
} as const satisfies Record<State, string>;

interface CheckResultProps {
  heading: RefObject<HTMLHeadingElement | null>;
  result: Result;
  filled: Filled;
  plans: SafeguardsContent['plans'];
  mailed: boolean;
}

export function CheckResult({ heading, result, filled, plans, mailed }: CheckResultProps) {
  const { unanswered } = result;
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
              <>
                Safeguards self-check: <span className="wrap-anywhere">{filled.store}</span>
              </>
            ) : (
              'Your Safeguards self-check'
            )}
          </h2>
          <p className="mt-3 text-lg print:mt-1 print:text-sm">
            <Today />
            The nine elements and the notice: {countsInWords(result)}.
          </p>
        </div>
        <div className="flex flex-wrap gap-3 noscript:hidden print:hidden">
          <Button onClick={() => window.print()}>
            <Printer className="size-4" />
            Print
          </Button>
          <ButtonLink href={stepOf('consumers')} variant="quiet">
            Change my answers
          </ButtonLink>
        </div>
      </div>
      <p className="mt-4 max-w-prose text-sm print:mt-1 print:max-w-none print:text-[8.5pt] print:leading-snug">
        <strong className="font-semibold text-ink">{NOT_ADVICE}</strong> It repeats what you
        answered, and checks nothing. For your own store, ask your attorney.
        {unanswered > 0 &&
          ` ${unanswered === 1 ? 'One question has' : `${unanswered} questions have`} no answer and ${unanswered === 1 ? 'counts' : 'count'} as not known.`}
        {result.small &&
          ' With fewer than 5,000 consumers, 16 CFR 314.6 takes four requirements away. Everything else stays.'}
      </p>
      <FirstSteps result={result} />
      <ElementTable elements={result.elements} />
      <AnswerTable elements={result.elements} />
      <div className="mt-16 grid gap-x-8 gap-y-10 lg:grid-cols-12 print:hidden">
        <div className="lg:col-span-7">
          <WaysOn result={result} plans={plans} />
        </div>
        {mailed && (
          <div className="lg:col-span-5">
            <MailReport filled={filled} />
          </div>
        )}
      </div>
      <Imprint />
    </div>
  );
}

const never = () => () => undefined;

/** The server's day need not be the reader's. */
function Today() {
  const today = useSyncExternalStore(
    never,
    () => longDay(new Date()),
    () => '',
  );
  return today && `${today}. `;
}

function FirstSteps({ result: { first } }: { result: Result }) {
  return (
    <div className="mt-10 print:mt-3">
      <h3 className="text-xl tracking-tight print:text-base">What to do first</h3>
      {first.length === 0 ? (
        <p className="mt-3 print:text-[9pt]">
          By your answers everything that the Rule asks of you is in place. Put a date on the next
          time you check.
        </p>
      ) : (
        <>
          <ol className="mt-5 grid gap-4 md:grid-cols-3 print:mt-1.5 print:grid-cols-1 print:gap-1">
            {first.map(({ question }, place) => (
              <li
                key={question.id}
                className="rounded-card border border-line bg-paper p-5 print:rounded-none print:border-0 print:border-l-2 print:border-primary print:bg-transparent print:py-0 print:pr-0 print:pl-3 print:text-[9pt] print:leading-snug"
              >
                <span className="flex items-baseline justify-between gap-3 text-sm print:inline print:text-[9pt]">
                  <strong className="font-semibold text-ink">
                    {place + 1}. {question.short}
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

function ElementTable({ elements }: { elements: readonly ElementResult[] }) {
  return (
    <div className="mt-12 print:mt-3">
      <h3 id="by-element" className="text-xl tracking-tight print:text-base">
        Element by element
      </h3>
      <table
        aria-labelledby="by-element"
        className="mt-4 w-full text-left text-sm max-sm:block print:mt-1.5 print:text-[9pt] print:leading-snug"
      >
        <thead className="border-b border-line text-xs text-muted max-sm:sr-only">
          <tr>
            <th scope="col" className="py-2 pr-4 font-medium print:py-0.5">
              Element
            </th>
            <th scope="col" className="px-3 py-2 font-medium print:py-0.5">
              State
            </th>
            <th scope="col" className="py-2 pl-3 font-medium print:py-0.5">
              16 CFR
            </th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line max-sm:block">
          {elements.map(({ element, state, findings }) => (
            <tr
              key={element.id}
              className="max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-x-3 max-sm:py-3 print:break-inside-avoid"
            >
              <th
                scope="row"
                className="py-3 pr-4 align-top font-medium text-ink max-sm:p-0 print:py-1"
              >
                {element.name}
                <Open findings={findings} />
              </th>
              <td className="px-3 py-3 align-top max-sm:p-0 print:py-1">
                <Badge tone={TONES[state]}>{STATE_LABELS[state]}</Badge>
              </td>
              <td className="py-3 pl-3 align-top whitespace-nowrap text-muted tabular-nums max-sm:p-0 print:py-1">
                314.4({element.id})
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Which of its parts are open, where it has several. */
function Open({ findings }: Pick<ElementResult, 'findings'>) {
  const open = findings.filter(({ exempt, answer }) => !exempt && answer !== 'yes');
  if (findings.length === 1 || open.length === 0) return null;
  return (
    <span className="block font-normal text-muted print:text-[8pt]">
      Open: {open.map(({ question }) => question.short).join(', ')}
    </span>
  );
}

/** At the foot of the printed report. */
function Imprint() {
  const { company, publicUrl } = useSite();
  return (
    <p className="hidden text-[8pt] text-muted print:mt-3 print:block">
      Made at {publicUrl}/safeguards-check from the answers on this page. {NOT_ADVICE} Questions?{' '}
      {company.name}, {company.phone.display}, {company.email}.
    </p>
  );
}
