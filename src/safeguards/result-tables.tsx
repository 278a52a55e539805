import { Badge } from '../ui/facts.tsx';
import {
  ANSWER_LABELS,
  type ElementResult,
  type Finding,
  STATE_LABELS,
  type State,
} from './score.ts';

const TONES = {
  'in-place': 'primary',
  partly: 'amber',
  missing: 'danger',
  unknown: 'neutral',
  'not-required': 'neutral',
} as const satisfies Record<State, string>;

export function ElementTable({ elements }: { elements: readonly ElementResult[] }) {
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
