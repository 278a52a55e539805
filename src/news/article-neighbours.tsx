import { Container } from '../ui/container.tsx';
import type { ArticleContent, ArticleLink } from './article.ts';

/** The articles before and after this one. */
export function Neighbours({ previous, next }: Pick<ArticleContent, 'previous' | 'next'>) {
  return (
    <nav aria-label="More articles" className="border-t border-line print:hidden">
      <Container className="grid gap-x-8 sm:grid-cols-2">
        {previous ? <Neighbour label="Previous article" article={previous} /> : <span />}
        {next && <Neighbour label="Next article" article={next} atEnd />}
      </Container>
    </nav>
  );
}

interface NeighbourProps {
  label: string;
  article: ArticleLink;
  atEnd?: boolean;
}

function Neighbour({ label, article: { slug, title }, atEnd = false }: NeighbourProps) {
  return (
    <a
      href={`/news/${slug}`}
      className={`group block py-8 lg:py-12 ${atEnd ? 'sm:text-right max-sm:border-t max-sm:border-line' : ''}`}
    >
      <span className="block text-sm text-muted">{label}</span>
      <span className="mt-1 block text-balance text-lg font-medium text-ink group-hover:text-primary group-hover:underline underline-offset-4">
        {title}
      </span>
    </a>
  );
}
