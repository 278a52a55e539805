import * as z from 'zod/mini';
import type { RichText } from '../platform/rich-text.ts';
import { line } from '../platform/schema.ts';

export const TOPICS = ['Security', 'Compliance', 'Operations', 'Communications'] as const;

/** Front matter. A function, so that the bundler can drop it from the browser's scripts. */
export const articleSchema = () =>
  z.strictObject({
    id: z.int().check(z.minimum(1)),
    title: line(),
    date: z.iso.date(),
    /** The day on which someone last checked that everything is still true. */
    reviewed: z.iso.date(),
    topic: z.enum(TOPICS),
    excerpt: line(),
    image: z.optional(line()),
    imageAlt: z._default(z.string(), ''),
    sources: z.array(z.strictObject({ title: line(), url: z.url({ protocol: /^https$/ }) })),
  });

export interface Article extends z.output<ReturnType<typeof articleSchema>> {
  slug: string;
  /** At 220 words a minute. */
  readingMinutes: number;
  body: RichText;
}

export type ArticleSummary = Omit<Article, 'sources' | 'body'>;

/** `more`: the next older ones, and after the oldest the newest. */
export interface ArticleContent {
  article: Article;
  more: readonly ArticleSummary[];
}
