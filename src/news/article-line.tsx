import { ArrowLink } from '../ui/arrow-link.tsx';
import type { ArticleSummary } from './article.ts';
import { ArticleFacts } from './article-facts.tsx';

/** An article in few words: when, on what, its title, and the way to it. */
export function ArticleLine({ article }: { article: ArticleSummary }) {
  const { slug, title } = article;
  const heading = `article-${slug}`;
  return (
    <article className="flex h-full flex-wrap items-end justify-between gap-x-6 border-t border-line pt-3">
      <div className="min-w-0 flex-1 basis-72 self-start pb-1">
        <ArticleFacts article={article} />
        <h3 id={heading} className="text-sm">
          {title}
        </h3>
      </div>
      <ArrowLink href={`/news/${slug}`} describedBy={heading} about={title}>
        Read More
      </ArrowLink>
    </article>
  );
}
