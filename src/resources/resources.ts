import type { ArticleSummary } from '../news/article.ts';

/** What /resources/ shows: the articles under their topics, and the legal pages. */
export interface ResourcesContent {
  topics: readonly { topic: string; articles: readonly ArticleSummary[] }[];
  legal: readonly { path: string; title: string; description: string; updated: string }[];
}
