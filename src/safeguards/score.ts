/** Scores the self-check and words its result, in the browser and on the server. */
import type { Answer, Answers, Check } from './check.ts';

export const ANSWER_LABELS: Record<Answer, string> = {
  yes: 'Yes',
  partly: 'Partly',
  no: 'No',
  unsure: 'Not sure',
};

export const ELEMENT_STATES = ['in-place', 'partly', 'missing', 'unknown', 'not-required'] as const;
export type ElementState = (typeof ELEMENT_STATES)[number];

export const STATE_LABELS: Record<ElementState, string> = {
  'in-place': 'In place',
  partly: 'Partly',
  missing: 'Missing',
  unknown: 'Not known',
  'not-required': 'Not required',
};

/** As badges have them. */
export const TONES = {
  'in-place': 'primary',
  partly: 'amber',
  missing: 'danger',
  unknown: 'neutral',
  'not-required': 'neutral',
} as const satisfies Record<ElementState, string>;

export interface Finding {
  question: Check['questions'][number];
  answer: Answer | undefined;
  exempt: boolean;
}

export interface ElementResult {
  element: Check['elements'][number];
  state: ElementState;
  findings: readonly Finding[];
}

export interface Result {
  /** Fewer than 5,000 consumers, by the visitor's own count. */
  small: boolean;
  elements: readonly ElementResult[];
  /** What to do first: at most three. */
  first: readonly Finding[];
  unanswered: number;
}

const MAX_STEPS = 3;
const WORST_FIRST: readonly Answer[] = ['no', 'unsure', 'partly'];

export function resultOf({ scope, elements, questions }: Check, answers: Answers): Result {
  const small = answers[scope.id] === 'no';
  const findings = questions.map(
    (question): Finding => ({
      question,
      answer: answers[question.id],
      exempt: small && question.exempt,
    }),
  );
  return {
    small,
    elements: elements.map((element) => {
      const elementFindings = findings.filter(({ question }) => question.element === element.id);
      return { element, state: stateOf(elementFindings), findings: elementFindings };
    }),
    first: firstSteps(findings),
    unanswered: questions.filter(({ id }) => answers[id] === undefined).length,
  };
}

/** An unanswered question counts as not known, which never counts as in place. */
function stateOf(findings: readonly Finding[]): ElementState {
  const answers = findings.filter(({ exempt }) => !exempt).map(({ answer = 'unsure' }) => answer);
  const has = (...expected: Answer[]) => answers.some((answer) => expected.includes(answer));
  if (answers.length === 0) return 'not-required';
  if (has('no') && !has('yes', 'partly')) return 'missing';
  if (has('no', 'partly')) return 'partly';
  return has('unsure') ? 'unknown' : 'in-place';
}

/** The most urgent first; within it what is missing, not known, partly in place. */
function firstSteps(findings: readonly Finding[]): Finding[] {
  const severity = ({ answer = 'unsure' }: Finding) => WORST_FIRST.indexOf(answer);
  return findings
    .filter(({ exempt, answer }) => !exempt && answer !== 'yes')
    .toSorted((a, b) => a.question.urgency - b.question.urgency || severity(a) - severity(b))
    .slice(0, MAX_STEPS);
}

export const NOT_ADVICE = 'This is a self-check, not legal advice.';

export const HOW_ORDERED =
  'In this order: what stops the most common attacks, then what holds the program together, then what recurs every year. Within each, what’s missing comes before what isn’t known, which comes before what’s partly in place.';

/** For example '4 in place, 2 missing'; leaves out states with no element. */
export function countsInWords({ elements }: Pick<Result, 'elements'>): string {
  return ELEMENT_STATES.flatMap((state) => {
    const count = elements.filter((element) => element.state === state).length;
    return count > 0 ? `${count} ${STATE_LABELS[state].toLowerCase()}` : [];
  }).join(', ');
}

/** A draft for the contact form that lists what is missing, not known or partly in place. */
export function draftMessage({ elements }: Result): string {
  const parts = (['missing', 'unknown', 'partly'] as const).flatMap((state) => {
    const names = elements
      .filter((element) => element.state === state)
      .map(({ element }) => element.name);
    return names.length > 0 ? `${STATE_LABELS[state]}: ${names.join('; ')}.` : [];
  });
  return ['We did the FTC Safeguards self-check.', ...parts, 'Please call us about it.'].join('\n');
}
