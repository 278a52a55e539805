import { ANSWER_LABELS } from './answers.ts';
import type { ElementResult, Finding } from './score.ts';

/** The second printed page: what was answered, with the paragraph and the next step. */
export function AnswerTable({ elements }: { elements: readonly ElementResult[] }) {
  const findings = elements.flatMap((each) => each.findings);
  return (
    <div className="mt-12 print:mt-0 print:break-before-page">
      <h3 id="by-answer" className="text-xl tracking-tight print:text-base">
        Answer by answer
      </h3>
      <table
        aria-labelledby="by-answer"
        className="mt-4 w-full text-left text-sm max-md:block print:mt-1.5 print:table print:text-[8.5pt] print:leading-snug"
      >
        <thead className="border-b border-line text-xs text-muted max-md:sr-only print:not-sr-only print:table-header-group print:text-[8pt]">
          <tr>
            <Column look="py-2 pr-3">Requirement</Column>
            <Column look="px-3 py-2">16 CFR</Column>
            <Column look="px-3 py-2">Answer</Column>
            <Column look="py-2 pl-3">Next step</Column>
          </tr>
        </thead>
        <tbody className="divide-y divide-line max-md:block print:table-row-group">
          {findings.map((finding) => (
            <AnswerRow key={finding.question.id} {...finding} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Column({ look, children }: { look: string; children: string }) {
  return (
    <th scope="col" className={`${look} font-medium print:px-1.5 print:py-0.5`}>
      {children}
    </th>
  );
}

function AnswerRow({ question, answer, exempt }: Finding) {
  const cell = 'align-top max-md:p-0 print:px-1.5 print:py-1';
  return (
    <tr className="max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-3 max-md:py-3 print:table-row print:break-inside-avoid">
      <th scope="row" className={`${cell} py-2.5 pr-3 font-medium text-ink md:w-1/4`}>
        {question.short}
      </th>
      <td
        className={`${cell} px-3 py-2.5 whitespace-nowrap text-muted tabular-nums max-md:order-3`}
      >
        {question.cite}
      </td>
      <td className={`${cell} px-3 py-2.5 whitespace-nowrap text-ink`}>
        {exempt ? 'Not required' : answer ? ANSWER_LABELS[answer] : 'No answer'}
      </td>
      <td className={`${cell} py-2.5 pl-3 max-md:order-4 max-md:col-span-2`}>
        {exempt
          ? 'Drops out below 5,000 consumers.'
          : answer === 'yes'
            ? 'Keep the proof with its date.'
            : question.step}
      </td>
    </tr>
  );
}
