import type { ArticleSummary } from '../news/article.ts';

/** What /resources/ shows: the articles under their topics, what can be checked, and the legal pages. */
export interface ResourcesContent {
  topics: readonly { topic: string; articles: readonly ArticleSummary[] }[];
  /** What can be checked: the self-check, and what is true of the company. */
  checks: readonly { path: string; title: string; description: string }[];
  legal: readonly { path: string; title: string; description: string; updated: string }[];
}
