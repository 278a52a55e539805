/** The self-check: its questions in `content/safeguards/check.json`, what its page is given, and the call that emails the result. */
import * as z from 'zod/mini';
import { contract } from '../platform/contract.ts';
import { emailField } from '../platform/fields.ts';
import { line } from '../platform/schema.ts';

export const ANSWERS = ['yes', 'partly', 'no', 'unsure'] as const;
export type Answer = (typeof ANSWERS)[number];
/** By the id of the question; what was not answered is not in it. */
export type Answers = Readonly<Record<string, Answer>>;

export const NOTHING_ANSWERED = 'Please answer at least one question';
export const MAX_STORE = 80;

const word = () => z.string().check(z.regex(/^[a-z]{1,20}$/, 'expected one word of small letters'));
/** The paragraph of 16 CFR, such as '314.4(c)(5)'. */
const cite = () =>
  z.string().check(z.regex(/^314\.\d/, 'expected a paragraph such as 314.4(c)(5)'));

const element = z.strictObject({
  id: word(),
  name: line(),
  /** What plans do for it, by their ids, so that a plan may be renamed. */
  ours: z.array(z.strictObject({ plans: z.array(z.int()).check(z.minLength(1)), what: line() })),
  /** What no plan does. */
  limits: line(),
});

const scope = z.strictObject({
  id: word(),
  cite: cite(),
  short: line(),
  text: line(),
  help: line(),
});

const question = z.extend(scope, {
  element: word(),
  /** Whether it drops out below 5,000 consumers. */
  exempt: z.boolean(),
  /** 1: stops the most common attacks; 2: holds the program together; 3: comes back every year. */
  urgency: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  step: line(),
});

export const checkSchema = z.strictObject({
  scope,
  elements: z.array(element).check(z.minLength(1)),
  questions: z.array(question).check(z.minLength(1)),
});

export type Check = z.infer<typeof checkSchema>;

/** Checks references between parts, which the schema cannot. Returns one message per error, with its place. */
export function validateCheck(
  { scope, elements, questions }: Check,
  plans: readonly { id: number }[],
): string[] {
  const repeated = (ids: readonly string[]) => ids.filter((id, at) => ids.indexOf(id) < at);
  const letters = elements.map(({ id }) => id);
  const ids = [scope, ...questions].map(({ id }) => id);
  const sold = plans.map(({ id }) => id);
  return [
    ...repeated(ids).map((id) => `questions: the id ${id} is used twice`),
    ...repeated(letters).map((id) => `elements: the id ${id} is used twice`),
    ...questions
      .filter(({ element }) => !letters.includes(element))
      .map(({ id, element }) => `questions: ${id}: there is no element ${element}`),
    ...letters
      .filter((id) => !questions.some(({ element }) => element === id))
      .map((id) => `elements: no question is about ${id}`),
    ...elements.flatMap(({ id, ours }) =>
      ours
        .flatMap((named) => named.plans.filter((plan) => !sold.includes(plan)))
        .map((plan) => `elements: ${id}: there is no plan ${plan}`),
    ),
  ];
}

/** The form as a visitor has filled it in. `store`: the name at the head of the printed report. */
export const filledForm = z.object({
  answers: z.record(z.string(), z.enum(ANSWERS)),
  store: z.string(),
});
export type Filled = z.output<typeof filledForm>;

export interface SafeguardsContent {
  check: Check;
  /** Plans by their ids, for what they do. */
  plans: readonly { id: number; name: string }[];
  mailed: boolean;
}

/** Far more than there are questions. */
const MOST_ANSWERS = 60;

/** By the ids of the questions; one that the server does not know is refused by the call. */
const sentAnswers = z.record(z.string().check(z.maxLength(20)), z.enum(ANSWERS)).check(
  z.refine((answers) => Object.keys(answers).length > 0, NOTHING_ANSWERED),
  z.refine((answers) => Object.keys(answers).length <= MOST_ANSWERS, 'There are too many answers'),
);

export const SEND_REPORT = contract('POST /api/safeguards-report', {
  body: z.strictObject({
    email: emailField(),
    answers: sentAnswers,
    /** Text in a field that people do not see (ui/fields/hidden-field) comes from a program. */
    website: z.optional(z.string().check(z.maxLength(2_000))),
  }),
  answer: z.object({ sent: z.boolean() }),
});
