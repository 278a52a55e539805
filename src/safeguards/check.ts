/** The questions of the self-check and what follows from their answers: `content/safeguards/check.json`. */
import * as z from 'zod/mini';

const line = () => z.string().check(z.minLength(1));
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

/** What is wrong with it as a whole, each with its place. */
export function checkFaults(
  { scope, elements, questions }: Check,
  plans: readonly { id: number }[],
): string[] {
  const ids = [scope, ...questions].map(({ id }) => id);
  const letters = elements.map(({ id }) => id);
  const sold = plans.map(({ id }) => id);
  const faults: string[] = [];
  for (const [at, { id, element }] of questions.entries()) {
    const place = `questions[${at}]`;
    if (ids.indexOf(id) <= at) faults.push(`${place}.id: ${id} is taken by an earlier one`);
    if (!letters.includes(element)) faults.push(`${place}.element: there is no element ${element}`);
  }
  for (const [at, { id, ours }] of elements.entries()) {
    const place = `elements[${at}]`;
    const asked = questions.some(({ element }) => element === id);
    if (letters.indexOf(id) < at) faults.push(`${place}.id: ${id} is taken by an earlier one`);
    if (!asked) faults.push(`${place}: no question is about ${id}`);
    for (const [row, named] of ours.entries()) {
      const unknown = named.plans.filter((plan) => !sold.includes(plan));
      faults.push(
        ...unknown.map((plan) => `${place}.ours[${row}].plans: there is no plan ${plan}`),
      );
    }
  }
  return faults;
}
