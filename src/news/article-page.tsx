import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useSite } from '../platform/site.ts';
import { fillPath, HOME_SECTIONS, SITE_PAGES } from '../routes.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Container } from '../ui/layout.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Picture } from '../ui/picture.tsx';
import { TextLink } from '../ui/rich-text.tsx';
import { TextWithContents } from '../ui/table-of-contents.tsx';
import type { ArticleContent } from './article.ts';
import { ArticleFacts } from './article-list.tsx';

export default function ArticlePage({ content }: { content: ArticleContent }) {
  const { article, previous, next } = content;
  return (
    <article>
      <PageTitle
        title={article.title}
        lead={article.excerpt}
        above={<BackToNews />}
        picture={<ArticlePicture article={article} />}
      >
        <div className="mt-6">
          <ArticleFacts article={article} withReview />
        </div>
      </PageTitle>
      <TextWithContents text={article.body}>
        {article.sources.length > 0 && <Sources sources={article.sources} />}
        <div className="mt-12 flex flex-wrap items-center gap-x-6 gap-y-4 border-t border-line pt-8 print:hidden">
          <ButtonLink href={HOME_SECTIONS.contact.path}>Contact Us</ButtonLink>
          <BackToNews />
        </div>
      </TextWithContents>
      {(previous || next) && <Neighbours previous={previous} next={next} />}
    </article>
  );
}

function BackToNews() {
  return (
    <a
      href={SITE_PAGES.news.path}
      className="inline-flex min-h-11 items-center gap-1.5 text-sm font-medium text-primary hover:text-primary-deep print:hidden"
    >
      <ArrowLeft className="size-4" />
      Back to News
    </a>
  );
}

/** An article without a picture of its own shows the company's logo. */
function ArticlePicture({ article: { image, imageAlt } }: { article: ArticleContent['article'] }) {
  const { company } = useSite();
  if (!image) {
    return (
      <div className="grid aspect-3/2 place-items-center rounded-card bg-paper-deep">
        <Picture
          image="/pictures/logo.svg"
          alt={company.name}
          sizes="14rem"
          className="w-56"
          first
        />
      </div>
    );
  }
  return (
    <Picture
      image={image}
      alt={imageAlt}
      first
      sizes="(min-width: 80rem) 30rem, (min-width: 64rem) 40vw, 92vw"
      className="aspect-3/2 w-full rounded-card bg-paper-deep object-cover shadow-raised"
    />
  );
}

function Sources({ sources }: Pick<ArticleContent['article'], 'sources'>) {
  return (
    <section aria-labelledby="sources" className="mt-12 max-w-text text-sm">
      <h2 id="sources" className="text-base">
        Sources
      </h2>
      <ul className="mt-3 grid gap-2">
        {sources.map(({ title, url }) => (
          <li key={url}>
            <TextLink href={url}>{title}</TextLink>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Neighbours({ previous, next }: Pick<ArticleContent, 'previous' | 'next'>) {
  return (
    <nav aria-label="More articles" className="border-t border-line print:hidden">
      <Container className="grid gap-x-8 sm:grid-cols-2">
        {previous ? <Neighbour label="Previous article" {...previous} /> : <span />}
        {next && (
          <Neighbour
            label="Next article"
            className="sm:text-right max-sm:border-t max-sm:border-line"
            {...next}
          />
        )}
      </Container>
    </nav>
  );
}

interface NeighbourProps {
  label: string;
  slug: string;
  title: string;
  className?: string;
}

function Neighbour({ label, slug, title, className = '' }: NeighbourProps) {
  return (
    <a
      href={fillPath(SITE_PAGES.article.path, slug)}
      className={`group block py-8 lg:py-12 ${className}`}
    >
      <span className="block text-sm text-muted">{label}</span>
      <span className="mt-1 block text-balance text-lg font-medium text-ink group-hover:text-primary group-hover:underline underline-offset-4">
        {title}
      </span>
    </a>
  );
}
