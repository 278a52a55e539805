import { Section } from '../ui/section.tsx';
import type { ArticleSummary } from './article.ts';
import { ArticleCard } from './article-card.tsx';

export function NewsSection({ articles }: { articles: readonly ArticleSummary[] }) {
  return (
    <Section
      id="news"
      heading="Latest News & Updates"
      lead="The rules and threats that reach businesses of your size, explained, each with something to do on Monday."
      ground="paper"
    >
      <ul className="grid gap-x-6 gap-y-8 sm:grid-cols-2 sm:gap-y-14 lg:grid-cols-3">
        {articles.map((article) => (
          <li key={article.slug}>
            <ArticleCard article={article} />
          </li>
        ))}
      </ul>
    </Section>
  );
}
