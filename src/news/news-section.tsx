import { ArrowLink } from '../ui/button.tsx';
import { longDate } from '../ui/facts.tsx';
import { Section } from '../ui/layout.tsx';
import type { ArticleSummary } from './article.ts';
import { ArticleGrid } from './article-grid.tsx';

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

/** An article in few words: its title, when and on what, and the way to it. */
function ArticleLine({ article }: { article: ArticleSummary }) {
  const { slug, title, date, topic } = article;
  const heading = `article-${slug}`;
  return (
    <article className="flex h-full flex-col border-t border-line pt-2.5 sm:pt-3">
      <h3 id={heading} className="flex-1 text-sm">
        {title}
      </h3>
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <p className="text-xs text-muted">
          <time dateTime={date}>{longDate(date)}</time>&nbsp;· {topic}
        </p>
        <ArrowLink href={`/news/${slug}`} describedBy={heading}>
          Read More
        </ArrowLink>
      </div>
    </article>
  );
}
