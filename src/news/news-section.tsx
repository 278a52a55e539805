import { Section } from '../ui/section.tsx';
import type { ArticleSummary } from './article.ts';
import { ArticleGrid } from './article-grid.tsx';

export function NewsSection({ articles }: { articles: readonly ArticleSummary[] }) {
  return (
    <Section
      id="news"
      heading="Latest News & Updates"
      lead="Rules and threats that affect businesses your size, each with a Monday to-do list."
      ground="paper"
    >
      <ArticleGrid articles={articles} level="h3" />
    </Section>
  );
}
