import { HOW_ORDERED } from './result-words.ts';
import type { Result } from './score.ts';

export function FirstSteps({ result: { first } }: { result: Result }) {
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
