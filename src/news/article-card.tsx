import { ArrowLink } from '../ui/arrow-link.tsx';
import { PictureCard } from '../ui/picture-card.tsx';
import type { ArticleSummary } from './article.ts';
import { formatArticleDate } from './article-date.ts';

export function ArticleCard({ article }: { article: ArticleSummary }) {
  const { slug, title, date, excerpt, image, readingMinutes } = article;
  return (
    <PictureCard image={image} wideSizes="(min-width: 80rem) 25rem, (min-width: 64rem) 31vw">
      <p className="text-xs text-muted">
        <time dateTime={date}>{formatArticleDate(date)}</time> · {readingMinutes} min read
      </p>
      <h3 className="mt-1 text-base">{title}</h3>
      <p className="mt-2 flex-1 text-sm">{excerpt}</p>
      <ArrowLink href={`/news/${slug}`} about={`: ${title}`}>
        Read More
      </ArrowLink>
    </PictureCard>
  );
}
