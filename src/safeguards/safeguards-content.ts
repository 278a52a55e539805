/** What the page of the self-check is told, and how a browser reads it. */
import {
  fields,
  flag,
  list,
  nullable,
  number,
  oneOf,
  or,
  type Reader,
  record,
  text,
} from '../platform/old/read.ts';
import type { Check } from './check.ts';
import { ANSWERS, type Filled } from './score.ts';

export interface SafeguardsContent {
  check: Check;
  /** Plans by their ids, for what they do. */
  plans: readonly { id: number; name: string }[];
  /** Whether the site can send emails. */
  mailed: boolean;
  /** What a form that was sent without script said; null on the page that is the same for everybody. */
  filled: Filled | null;
  /** What came of it, where there is something to say. */
  told: { kind: 'error' | 'success'; text: string } | null;
}

const SCOPE = { id: text, cite: text, short: text, text, help: text };

const urgency: Reader<1 | 2 | 3> = (value) => ([1, 2, 3] as const).find((each) => each === value);

const readCheck = fields<Check>({
  scope: fields<Check['scope']>(SCOPE),
  elements: list(
    fields<Check['elements'][number]>({
      id: text,
      name: text,
      ours: list(
        fields<Check['elements'][number]['ours'][number]>({ plans: list(number), what: text }),
      ),
      limits: text,
    }),
  ),
  questions: list(
    fields<Check['questions'][number]>({
      ...SCOPE,
      element: text,
      exempt: flag,
      urgency,
      step: text,
    }),
  ),
});

export const readFilled = fields<Filled>({ answers: record(oneOf(ANSWERS)), store: text });

export const readSafeguards = fields<SafeguardsContent>({
  check: readCheck,
  plans: list(fields<{ id: number; name: string }>({ id: number, name: text })),
  mailed: flag,
  filled: or(readFilled, null),
  told: nullable(
    fields<NonNullable<SafeguardsContent['told']>>({
      kind: oneOf(['error', 'success']),
      text,
    }),
  ),
});
