import { Section } from '../ui/section.tsx';
import type { ArticleSummary } from './article.ts';
import { ArticleGrid } from './article-grid.tsx';

export function NewsSection({ articles }: { articles: readonly ArticleSummary[] }) {
  return (
    <Section
      id="news"
      heading="Latest News & Updates"
      lead="The rules and threats that reach businesses of your size, explained, each with something to do on Monday."
      ground="paper"
    >
      <ArticleGrid articles={articles} level="h3" />
    </Section>
  );
}
