/** A news article: the front matter of content/news/<slug>.md, and its body as a Markdown tree. */
import * as z from 'zod/mini';
import type { RichText } from '../platform/rich-text.ts';
import { fallback } from '../platform/schema.ts';

const line = () => z.string().check(z.minLength(1));

export const TOPICS = ['Security', 'Compliance', 'Operations', 'Communications'] as const;

export const articleFrontMatter = z.strictObject({
  id: z.int().check(z.minimum(1)),
  title: line(),
  date: z.iso.date(),
  topic: z.enum(TOPICS),
  excerpt: line(),
  image: z.optional(line()),
  imageAlt: z._default(z.string(), ''),
  sources: z.array(z.strictObject({ title: line(), url: z.url() })),
});

type ArticleFrontMatter = z.infer<typeof articleFrontMatter>;

/** What a list of articles shows, as a page's data carries it; `readingMinutes` at 220 words a minute. */
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

export interface Article extends ArticleSummary, Pick<ArticleFrontMatter, 'sources'> {
  body: RichText;
}

/** What the page of one article shows. */
export interface ArticleContent {
  article: Article;
  /** The article before it in time, and the one after. */
  previous: ArticleLink | null;
  next: ArticleLink | null;
}

export type ArticleLink = Pick<ArticleSummary, 'slug' | 'title'>;
