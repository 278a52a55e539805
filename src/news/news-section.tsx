import { Section } from '../ui/section.tsx';
import type { ArticleSummary } from './article.ts';
import { ArticleGrid } from './article-grid.tsx';
import { ArticleLine } from './article-line.tsx';

/** How many stand with their picture; the others are lines. */
const CARDS = 3;

export function NewsSection({ articles }: { articles: readonly ArticleSummary[] }) {
  return (
    <Section
      id="news"
      heading="Latest News & Updates"
      lead="Rules and threats that affect businesses your size, each with a Monday to-do list."
      ground="paper"
    >
      <ArticleGrid articles={articles.slice(0, CARDS)} brief />
      <ul className="mt-3 grid gap-x-8 sm:mt-12 sm:gap-y-2 md:grid-cols-2 lg:grid-cols-3 lg:gap-y-4">
        {articles.slice(CARDS).map((article) => (
          <li key={article.slug}>
            <ArticleLine article={article} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
