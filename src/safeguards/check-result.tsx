/** The report: two printed pages, and on the screen what to do about it. */
import Printer from 'lucide-react/icons/printer';
import { type RefObject, useSyncExternalStore } from 'react';
import { Letterhead } from '../company/letterhead.tsx';
import { useSite } from '../platform/site.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { longDay } from '../ui/long-day.ts';
import { AnswerTable } from './answer-table.tsx';
import type { Filled } from './answers.ts';
import { ElementTable } from './element-table.tsx';
import { FirstSteps } from './first-steps.tsx';
import { MailReport } from './mail-report.tsx';
import { countsInWords, NOT_ADVICE } from './result-words.ts';
import { stepOf } from './safeguards-address.ts';
import type { SafeguardsContent } from './safeguards-content.ts';
import type { Result } from './score.ts';
import { WaysOn } from './ways-on.tsx';

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
