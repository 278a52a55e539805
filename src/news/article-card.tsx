import { ArrowLink } from '../ui/arrow-link.tsx';
import { PictureCard } from '../ui/picture-card.tsx';
import type { ArticleSummary } from './article.ts';
import { ArticleFacts } from './article-facts.tsx';

interface ArticleCardProps {
  article: ArticleSummary;
  level: 'h2' | 'h3';
  /** On a phone without its excerpt. */
  brief?: boolean;
}

export function ArticleCard({ article, level: Title, brief = false }: ArticleCardProps) {
  const { slug, title, excerpt, image } = article;
  const heading = `article-${slug}`;
  return (
    <PictureCard image={image} wideSizes="(min-width: 80rem) 25rem, (min-width: 64rem) 31vw">
      <ArticleFacts article={article} />
      <Title id={heading} className={`mt-1 text-base ${brief ? 'max-sm:text-sm' : ''}`}>
        {title}
      </Title>
      <p className={`mt-2 flex-1 text-sm ${brief ? 'max-sm:hidden' : ''}`}>{excerpt}</p>
      <ArrowLink href={`/news/${slug}`} describedBy={heading} about={title}>
        Read More
      </ArrowLink>
    </PictureCard>
  );
}
