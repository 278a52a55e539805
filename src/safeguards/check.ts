/** The self-check: its schema, the page's data, and the call that emails the report. */
import * as z from 'zod/mini';
import { contract } from '../platform/contract.ts';
import { emailField } from '../platform/fields.ts';
import { line } from '../platform/schema.ts';

export const ANSWERS = ['yes', 'partly', 'no', 'unsure'] as const;
export type Answer = (typeof ANSWERS)[number];
/** By question id; unanswered questions are missing. */
export type Answers = Readonly<Record<string, Answer>>;

export const RESULT = '#result';
export const stepOf = (id: string) => `#q-${id}`;

export const NOTHING_ANSWERED = 'Please answer at least one question';

const word = () => z.string().check(z.regex(/^[a-z]{1,20}$/, 'expected one word of small letters'));
/** A paragraph of 16 CFR, for example '314.4(c)(5)'. */
const cite = () =>
  z.string().check(z.regex(/^314\.\d/, 'expected a paragraph such as 314.4(c)(5)'));

const element = z.strictObject({
  id: word(),
  name: line(),
  /** What our plans do for it. Plans are named by id, so that they can be renamed. */
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
  /** Whether stores with fewer than 5,000 consumers are exempt. */
  exempt: z.boolean(),
  /** 1: stops the most common attacks; 2: holds the program together; 3: comes back every year. */
  urgency: z.union([z.literal(1), z.literal(2), z.literal(3)]),
  step: line(),
});

export const checkSchema = z.strictObject({
  title: line(),
  description: line(),
  /** The article that explains the Rule; null if there is none. */
  article: z.nullable(line()),
  /** The plan whose customers get the evidence of /sample-evidence. */
  evidencePlan: z.int(),
  scope,
  elements: z.array(element).check(z.minLength(1)),
  questions: z.array(question).check(z.minLength(1)),
});

export type Check = z.infer<typeof checkSchema>;

/** Checks references between parts. Returns one message per error, with its place. */
export function validateCheck(
  { article, evidencePlan, scope, elements, questions }: Check,
  plans: readonly { id: number }[],
  articles: readonly { slug: string }[],
): string[] {
  const repeated = (ids: readonly string[]) => ids.filter((id, at) => ids.indexOf(id) < at);
  const letters = elements.map(({ id }) => id);
  const ids = [scope, ...questions].map(({ id }) => id);
  const sold = plans.map(({ id }) => id);
  const isArticle = article === null || articles.some(({ slug }) => slug === article);
  return [
    ...(isArticle ? [] : [`article: there is no article ${article}`]),
    ...(sold.includes(evidencePlan) ? [] : [`evidencePlan: there is no plan ${evidencePlan}`]),
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

/** The form as filled in. `store`: the name on the printed report. */
export const filledFormSchema = z.object({
  answers: z.record(z.string(), z.enum(ANSWERS)),
  store: z.string(),
});
export type FilledForm = z.output<typeof filledFormSchema>;

export interface SafeguardsContent {
  check: Check;
  plans: readonly { id: number; name: string }[];
}

/** The call itself refuses unknown question ids. */
const sentAnswers = z
  .record(z.string(), z.enum(ANSWERS))
  .check(z.refine((answers) => Object.keys(answers).length > 0, NOTHING_ANSWERED));

export const SEND_REPORT = contract('POST /api/safeguards-report', {
  body: z.strictObject({
    email: emailField(),
    answers: sentAnswers,
  }),
  answer: z.object({ sent: z.boolean() }),
});
