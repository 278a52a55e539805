/** What the answers come to. Pure: the browser and the server both ask here. */
import type { Answer, Answers, State } from './answers.ts';
import type { Check } from './check.ts';

type CheckQuestion = Check['questions'][number];
type CheckElement = Check['elements'][number];

export interface Finding {
  question: CheckQuestion;
  /** Undefined where nothing was answered. */
  answer: Answer | undefined;
  /** It does not apply to a store of this size. */
  exempt: boolean;
}

export interface ElementResult {
  element: CheckElement;
  state: State;
  findings: readonly Finding[];
}

export interface Result {
  /** Fewer than 5,000 consumers, by the visitor's own count. */
  small: boolean;
  elements: readonly ElementResult[];
  /** What to do first: at most three. */
  first: readonly Finding[];
  /** Questions, the first one included, that were not answered. */
  unanswered: number;
}

const MOST_STEPS = 3;
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
      const own = findings.filter(({ question }) => question.element === element.id);
      return { element, state: stateOf(own), findings: own };
    }),
    first: firstSteps(findings),
    unanswered: [scope, ...questions].filter(({ id }) => answers[id] === undefined).length,
  };
}

/** What is not answered is not known; what nobody knows is never taken for being in place. */
function stateOf(findings: readonly Finding[]): State {
  const given = findings.filter(({ exempt }) => !exempt).map(({ answer = 'unsure' }) => answer);
  const has = (...wanted: Answer[]) => given.some((answer) => wanted.includes(answer));
  if (given.length === 0) return 'not-required';
  if (has('no') && !has('yes', 'partly')) return 'missing';
  if (has('no', 'partly')) return 'partly';
  return has('unsure') ? 'unknown' : 'in-place';
}

/** The most urgent first; of these what is missing, then what nobody knows, then what is there in part. */
function firstSteps(findings: readonly Finding[]): Finding[] {
  const severity = ({ answer = 'unsure' }: Finding) => WORST_FIRST.indexOf(answer);
  return findings
    .filter(({ exempt, answer }) => !exempt && answer !== 'yes')
    .toSorted((a, b) => a.question.urgency - b.question.urgency || severity(a) - severity(b))
    .slice(0, MOST_STEPS);
}
