/** Lists of articles: the newest on the home page, and all of them. */

import { formatDate } from '../platform/time.ts';
import { fillPath, SITE_PAGES } from '../routes.ts';
import { ArrowLink } from '../ui/button.tsx';
import { Section } from '../ui/layout.tsx';
import { Picture } from '../ui/picture.tsx';
import type { ArticleSummary } from './article.ts';

export interface ArticleListProps {
  lead: string;
  articles: readonly ArticleSummary[];
}

/** On the home page, the newest articles are cards with a picture and the others are lines. */
const CARDS = 3;

export function NewsSection({ articles, lead }: ArticleListProps) {
  const more = articles.slice(CARDS);
  return (
    <Section id="news" heading="Latest News & Updates" lead={lead} background="paper">
      <ArticleGrid articles={articles.slice(0, CARDS)} brief />
      {more.length > 0 && (
        <ul className="mt-3 grid gap-x-8 sm:mt-12 sm:gap-y-2 md:grid-cols-2 lg:grid-cols-3 lg:gap-y-4">
          {more.map((article) => (
            <li key={article.slug}>
              <ArticleLine article={article} />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

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
          <time dateTime={date}>{formatDate(date)}</time>
          <span>{`\u00a0· ${topic}`}</span>
        </p>
        <ArrowLink
          href={fillPath(SITE_PAGES.article.path, slug)}
          describedBy={heading}
          about={title}
        >
          Read More
        </ArrowLink>
      </div>
    </article>
  );
}

/** On a phone, the picture is small and beside the text. */
const BRIEF = {
  article:
    'grid-cols-[6rem_1fr] content-start gap-x-4 max-[18rem]:grid-cols-1 max-[18rem]:gap-y-4 sm:flex sm:flex-col',
  picture: 'aspect-square rounded-control max-[18rem]:w-24 sm:aspect-3/2 sm:rounded-card',
  sizes: '(min-width: 80rem) 25rem, (min-width: 64rem) 31vw, (min-width: 40rem) 45vw, 6rem',
  text: 'sm:mt-5',
  title: 'mt-1 text-base leading-6 text-pretty max-sm:text-sm',
  excerpt: 'mt-2 text-sm max-sm:hidden',
};
/** Two of a row. */
const WIDE: typeof BRIEF = {
  ...BRIEF,
  sizes: '(min-width: 80rem) 37rem, (min-width: 40rem) 45vw, 6rem',
  title: 'mt-1 text-pretty max-sm:text-sm sm:text-lg lg:text-xl lg:leading-8',
  excerpt: 'mt-2 max-sm:hidden',
};
/** The newest article of the list of all. */
const LARGE: typeof BRIEF = {
  article: 'gap-x-10 lg:grid-cols-[7fr_5fr] lg:items-center',
  picture: 'aspect-3/2 rounded-card',
  sizes: '(min-width: 80rem) 42rem, (min-width: 64rem) 52vw, 92vw',
  text: 'mt-4 lg:mt-0',
  title: 'mt-3 text-xl tracking-tight lg:text-[2.25rem] lg:leading-[1.15]',
  // On a phone, clear of the chat button.
  excerpt: 'mt-3 max-sm:mr-16 sm:mt-4 sm:mb-2 sm:text-lg',
};

/** How many are wide, so that the rows of three below them are full. */
const wideOf = (articles: number) => [0, 4, 2][articles % 3] ?? 0;

interface ArticleGridProps {
  articles: readonly ArticleSummary[];
  /** Three under a section heading. */
  brief?: boolean;
}

export function ArticleGrid({ articles, brief = false }: ArticleGridProps) {
  const Title = brief ? 'h3' : 'h2';
  const wide = wideOf(articles.length - 1);
  return (
    <ul
      className={`grid gap-x-6 ${brief ? 'gap-y-3 sm:grid-cols-3' : 'gap-y-6 sm:grid-cols-2 sm:gap-y-14 lg:grid-cols-6 *:first:sm:col-span-full'}`}
    >
      {articles.map((article, place) => {
        const { slug, title, excerpt, image } = article;
        const look = brief ? BRIEF : place === 0 ? LARGE : place <= wide ? WIDE : BRIEF;
        const heading = `article-${slug}`;
        const path = fillPath(SITE_PAGES.article.path, slug);
        return (
          <li key={slug} className={brief ? '' : look === WIDE ? 'lg:col-span-3' : 'lg:col-span-2'}>
            {/* Its link covers it. */}
            <article
              className={`group/card relative grid h-full [&_a]:after:absolute [&_a]:after:inset-0 ${look.article}`}
            >
              {image && (
                <Picture
                  image={image}
                  alt=""
                  first={look === LARGE}
                  sizes={look.sizes}
                  className={`w-full bg-paper-deep object-cover ${look.picture}`}
                />
              )}
              <div className={`flex flex-1 flex-col ${look.text}`}>
                <ArticleFacts article={article} withReview={look === LARGE} />
                <Title
                  id={heading}
                  className={`underline-offset-4 group-hover/card:underline ${look.title}`}
                >
                  {title}
                </Title>
                <p className={`max-w-text flex-1 ${look.excerpt}`}>{excerpt}</p>
                <ArrowLink href={path} describedBy={heading} about={title}>
                  Read More
                </ArrowLink>
              </div>
            </article>
          </li>
        );
      })}
    </ul>
  );
}

interface ArticleFactsProps {
  article: ArticleSummary;
  withReview?: boolean;
}

/** 'May 1, 2025 · Reviewed November 2026 · Security · 3 min read' */
export function ArticleFacts({ article, withReview = false }: ArticleFactsProps) {
  const { date, reviewed, topic, readingMinutes } = article;
  return (
    <p className={`text-xs text-muted ${withReview ? 'sm:text-sm' : ''}`}>
      <time dateTime={date}>{formatDate(date)}</time>
      {withReview && (
        <>
          <span>{'\u00a0· '}</span>
          <time dateTime={reviewed} className="whitespace-nowrap">
            {`Reviewed ${formatDate(reviewed).replace(/ \d+,/, '')}`}
          </time>
        </>
      )}
      <span>{'\u00a0· '}</span>
      <span className="whitespace-nowrap">
        <span>{`${topic} · ${readingMinutes} min`}</span>
        <span className="max-sm:hidden"> read</span>
      </span>
    </p>
  );
}
