import type { ReactNode } from 'react';
import { Badge } from '../ui/badge.tsx';
import { ANSWER_LABELS, type ElementResult, type Finding, STATE_LABELS, TONES } from './score.ts';

interface ReportTableProps {
  id: string;
  heading: string;
  /** Classes of the container, the table, its head, its heading cells and its body. */
  classes: { around: string; table: string; head: string; cell: string; body: string };
  columns: readonly (readonly [heading: string, columnClass: string])[];
  children: ReactNode;
}

function ReportTable({ id, heading, classes, columns, children }: ReportTableProps) {
  return (
    <div className={`mt-12 ${classes.around}`}>
      <h3 id={id} className="text-xl tracking-tight print:text-base">
        {heading}
      </h3>
      <table
        aria-labelledby={id}
        className={`mt-4 w-full text-left text-sm print:mt-1.5 print:leading-snug ${classes.table}`}
      >
        <thead className={`border-b border-line text-xs text-muted ${classes.head}`}>
          <tr>
            {columns.map(([column, columnClass]) => (
              <th
                key={column}
                scope="col"
                className={`py-2 font-medium print:py-0.5 ${columnClass} ${classes.cell}`}
              >
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className={`divide-y divide-line ${classes.body}`}>{children}</tbody>
      </table>
    </div>
  );
}

const ELEMENT_CLASSES = {
  around: 'print:mt-3',
  table: 'max-sm:block print:text-[9pt]',
  head: 'max-sm:sr-only',
  cell: '',
  body: 'max-sm:block',
};

export function ElementTable({ elements }: { elements: readonly ElementResult[] }) {
  return (
    <ReportTable
      id="by-element"
      heading="Element by element"
      classes={ELEMENT_CLASSES}
      columns={[
        ['Element', 'pr-4'],
        ['State', 'px-3'],
        ['16 CFR', 'pl-3'],
      ]}
    >
      {elements.map(({ element, state, findings }) => (
        <tr
          key={element.id}
          className="max-sm:grid max-sm:grid-cols-[minmax(0,1fr)_auto] max-sm:gap-x-3 max-[18rem]:grid-cols-1 max-sm:py-3 print:break-inside-avoid"
        >
          <th
            scope="row"
            className="py-3 pr-4 align-top font-medium text-ink max-sm:p-0 print:py-1"
          >
            <span>{element.name}</span>
            <OpenParts findings={findings} />
          </th>
          <td className="px-3 py-3 align-top max-sm:p-0 print:py-1">
            <Badge tone={TONES[state]}>{STATE_LABELS[state]}</Badge>
          </td>
          <td className="py-3 pl-3 align-top whitespace-nowrap text-muted tabular-nums max-sm:p-0 print:py-1">
            {`314.4(${element.id})`}
          </td>
        </tr>
      ))}
    </ReportTable>
  );
}

function OpenParts({ findings }: Pick<ElementResult, 'findings'>) {
  const open = findings.filter(({ exempt, answer }) => !exempt && answer !== 'yes');
  if (findings.length === 1 || open.length === 0) return null;
  return (
    <span className="block font-normal text-muted print:text-[8pt]">
      {`Open: ${open.map(({ question }) => question.short).join(', ')}`}
    </span>
  );
}

const ANSWER_CLASSES = {
  around: 'print:mt-0 print:break-before-page',
  table: 'max-md:block print:table print:text-[8.5pt]',
  head: 'max-md:sr-only print:not-sr-only print:table-header-group print:text-[8pt]',
  cell: 'print:px-1.5',
  body: 'max-md:block print:table-row-group',
};

/** The second printed page: each answer with its paragraph and next step. */
export function AnswerTable({ elements }: { elements: readonly ElementResult[] }) {
  return (
    <ReportTable
      id="by-answer"
      heading="Answer by answer"
      classes={ANSWER_CLASSES}
      columns={[
        ['Requirement', 'pr-3'],
        ['16 CFR', 'px-3'],
        ['Answer', 'px-3'],
        ['Next step', 'pl-3'],
      ]}
    >
      {elements
        .flatMap(({ findings }) => findings)
        .map((finding) => (
          <AnswerRow key={finding.question.id} {...finding} />
        ))}
    </ReportTable>
  );
}

function AnswerRow({ question, answer, exempt }: Finding) {
  const cell = 'align-top max-md:p-0 print:px-1.5 print:py-1';
  return (
    <tr className="max-md:grid max-md:grid-cols-[minmax(0,1fr)_auto] max-md:gap-x-3 max-[18rem]:grid-cols-1 max-md:py-3 print:table-row print:break-inside-avoid">
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
