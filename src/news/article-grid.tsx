import type { ArticleSummary } from './article.ts';
import { ArticleCard } from './article-card.tsx';

interface ArticleGridProps {
  articles: readonly ArticleSummary[];
  /** One below the heading above it. */
  level: 'h2' | 'h3';
  /** On a phone without their excerpts. */
  brief?: boolean;
}

export function ArticleGrid({ articles, level, brief = false }: ArticleGridProps) {
  return (
    <ul
      className={`grid gap-x-6 ${brief ? 'gap-y-3 sm:grid-cols-3' : 'gap-y-8 sm:grid-cols-2 sm:gap-y-14 lg:grid-cols-3'}`}
    >
      {articles.map((article) => (
        <li key={article.slug}>
          <ArticleCard article={article} level={level} brief={brief} />
        </li>
      ))}
    </ul>
  );
}
