/** A news article as pages carry it, its body as a tree. */
import * as z from 'zod/mini';
import { richText } from '../platform/rich-text.ts';
import { fallback, list } from '../platform/schema.ts';

/** The list of all articles: where it is and what it is called. */
export const NEWS = { path: '/news', title: 'News & Updates' } as const;

export const TOPICS = ['Security', 'Compliance', 'Operations', 'Communications'] as const;

/** What a list of articles shows; `readingMinutes` at 220 words a minute. */
export const articleSummary = z.object({
  id: z.number(),
  slug: z.string(),
  title: z.string(),
  date: z.string(),
  topic: z.string(),
  excerpt: z.string(),
  image: fallback(z.optional(z.string()), undefined),
  imageAlt: z.string(),
  readingMinutes: z.number(),
});
export type ArticleSummary = z.output<typeof articleSummary>;

const article = z.extend(articleSummary, {
  sources: list(z.object({ title: z.string(), url: z.string() })),
  body: richText,
});
export type Article = z.output<typeof article>;

const link = z.nullable(z.object({ slug: z.string(), title: z.string() }));

/** `previous` and `next` in time. */
export const articleContent = z.object({ article, previous: link, next: link });
export type ArticleContent = z.output<typeof articleContent>;
