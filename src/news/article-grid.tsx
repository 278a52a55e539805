import { ArrowLink } from '../ui/button.tsx';
import { longDate } from '../ui/facts.tsx';
import { PictureCard } from '../ui/picture.tsx';
import type { ArticleSummary } from './article.ts';

interface ArticleGridProps {
  articles: readonly ArticleSummary[];
  /** Below a heading of their own; on a phone without their excerpts. */
  brief?: boolean;
}

export function ArticleGrid({ articles, brief = false }: ArticleGridProps) {
  const Title = brief ? 'h3' : 'h2';
  return (
    <ul
      className={`grid gap-x-6 ${brief ? 'gap-y-3 sm:grid-cols-3' : 'gap-y-8 sm:grid-cols-2 sm:gap-y-14 lg:grid-cols-3'}`}
    >
      {articles.map((article) => {
        const { slug, title, excerpt, image } = article;
        const heading = `article-${slug}`;
        return (
          <li key={slug}>
            <PictureCard
              image={image}
              wideSizes="(min-width: 80rem) 25rem, (min-width: 64rem) 31vw"
            >
              <ArticleFacts article={article} />
              <Title id={heading} className={`mt-1 text-base ${brief ? 'max-sm:text-sm' : ''}`}>
                {title}
              </Title>
              <p className={`mt-2 flex-1 text-sm ${brief ? 'max-sm:hidden' : ''}`}>{excerpt}</p>
              <ArrowLink href={`/news/${slug}`} describedBy={heading}>
                Read More
              </ArrowLink>
            </PictureCard>
          </li>
        );
      })}
    </ul>
  );
}

type Facts = Pick<ArticleSummary, 'date' | 'topic' | 'readingMinutes'>;

/** 'May 1, 2025 · Security · 3 min read' */
export function ArticleFacts({ article: { date, topic, readingMinutes } }: { article: Facts }) {
  return (
    <p className="text-xs text-muted">
      <time dateTime={date}>{longDate(date)}</time>&nbsp;· {topic}&nbsp;·{' '}
      <span className="whitespace-nowrap">{readingMinutes} min read</span>
    </p>
  );
}
