/** Questions about the prices with their answers: `content/catalogue/questions.json`. */
import * as z from 'zod/mini';
import type { ContentReader } from '../platform/config/content-file.server.ts';
import { type Inline, inlineText } from '../platform/rich-text.ts';
import type { Question } from './price-details.ts';

const FILE = 'catalogue/questions.json';
const line = () => z.string().check(z.minLength(1));

const questionsSchema = z
  .array(z.strictObject({ question: line(), answer: z.array(line()).check(z.minLength(1)) }))
  .check(z.minLength(1));

/** `placeholders`: what {{phone}} and its like stand for, of which the words alone are taken. */
export function readQuestions(
  reader: ContentReader,
  placeholders: ReadonlyMap<string, Inline>,
): Question[] {
  const rows = reader.json(FILE, questionsSchema) ?? [];
  const filled = (text: string, place: string) =>
    text.replace(/\{\{(.*?)\}\}/g, (whole, name: string) => {
      const value = placeholders.get(name);
      if (value === undefined)
        reader.faults.push(`${FILE}: ${place}: there is no placeholder ${whole}`);
      return value === undefined ? whole : inlineText([value]);
    });
  return rows.map(({ question, answer }, index) => ({
    question: filled(question, `[${index}].question`),
    answer: answer.map((text, part) => filled(text, `[${index}].answer[${part}]`)),
  }));
}
