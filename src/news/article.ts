/** A news article, content/news/<slug>.md, as pages carry it. */
import * as z from 'zod/mini';
import type { RichText } from '../platform/rich-text.ts';
import { line } from '../platform/schema.ts';

/** The list of all articles: where it is and what it is called. */
export const NEWS = { path: '/news', title: 'News & Updates' } as const;

export const TOPICS = ['Security', 'Compliance', 'Operations', 'Communications'] as const;

/** Of the file’s front matter. A function, so that the scripts of pages are built without it. */
export const articleSchema = () =>
  z.strictObject({
    id: z.int().check(z.minimum(1)),
    title: line(),
    date: z.iso.date(),
    topic: z.enum(TOPICS),
    excerpt: line(),
    image: z.optional(line()),
    imageAlt: z._default(z.string(), ''),
    sources: z.array(z.strictObject({ title: line(), url: z.url() })),
  });

export interface Article extends z.output<ReturnType<typeof articleSchema>> {
  slug: string;
  /** At 220 words a minute. */
  readingMinutes: number;
  body: RichText;
}

/** What a list of articles shows. */
export type ArticleSummary = Omit<Article, 'sources' | 'body'>;

type Neighbour = Pick<Article, 'slug' | 'title'> | null;

/** `previous` and `next` in time. */
export interface ArticleContent {
  article: Article;
  previous: Neighbour;
  next: Neighbour;
}
