import * as z from 'zod/mini';
import { contract } from '../platform/contract.ts';
import { count, fallback, list, signedDollars } from '../platform/schema.ts';

export const SOURCE_PERIODS = [30, 90] as const;

/** AI assistants that answer with links, by utm_source or referring host. */
const ASSISTANTS: readonly (readonly [name: string, label: RegExp])[] = [
  ['ChatGPT', /^(chatgpt(\.com)?|(chat\.)?openai(\.com)?)$/],
  ['Copilot', /^(microsoft )?copilot(\.com|\.microsoft\.com)?$/],
  ['Gemini', /^(gemini|bard)(\.google\.com)?$/],
  ['Perplexity', /^perplexity(\.ai)?$/],
  ['Claude', /^claude(\.ai)?$/],
];

/** What is stored is in lower case, so nobody can make up an assistant's name. */
export const isAssistant = (source: string) => ASSISTANTS.some(([name]) => name === source);

/** The assistant's name for each of its labels, any other label as it is. */
export function sourceName(label: string): string {
  return ASSISTANTS.find(([, labels]) => labels.test(label))?.[0] ?? label;
}

const sourceSums = z.object({
  /** One of SOURCE_PERIODS: the days until now. */
  days: count,
  source: z.string(),
  /** Begun by people. */
  visits: fallback(count, 0),
  messages: fallback(count, 0),
  quotes: fallback(count, 0),
  /** Those that were paid. */
  orders: fallback(count, 0),
  /** What these orders have paid so far, without what was refunded. */
  money: signedDollars,
});
export type SourceSums = z.output<typeof sourceSums>;

/** By period; those with the most money, then orders, come first, AI assistants last. */
export const READ_SOURCES = contract('GET /api/admin/sources', {
  answer: z.object({ sources: list(sourceSums) }),
});
export const DOWNLOAD_SOURCES = contract('GET /api/admin/sources/download');
