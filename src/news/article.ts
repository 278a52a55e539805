/** A news article as pages carry it, its body as a tree. */
import type { RichText } from '../platform/rich-text.ts';

/** The list of all articles: where it is and what it is called. */
export const NEWS = { path: '/news', title: 'News & Updates' } as const;

export const TOPICS = ['Security', 'Compliance', 'Operations', 'Communications'] as const;

/** What a list of articles shows. */
export interface ArticleSummary {
  id: number;
  slug: string;
  title: string;
  date: string;
  topic: string;
  excerpt: string;
  image?: string | undefined;
  imageAlt: string;
  /** At 220 words a minute. */
  readingMinutes: number;
}

export interface Article extends ArticleSummary {
  sources: readonly { title: string; url: string }[];
  body: RichText;
}

type Neighbour = Pick<Article, 'slug' | 'title'> | null;

/** `previous` and `next` in time. */
export interface ArticleContent {
  article: Article;
  previous: Neighbour;
  next: Neighbour;
}
