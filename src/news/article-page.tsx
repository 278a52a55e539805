import ArrowLeft from 'lucide-react/icons/arrow-left';
import { useSite } from '../platform/site.ts';
import { HOME_SECTIONS, SITE_PAGES } from '../routes.ts';
import { ButtonLink } from '../ui/button.tsx';
import { CompanyPhone } from '../ui/contact-links.tsx';
import { Section } from '../ui/layout.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Picture } from '../ui/picture.tsx';
import { TextLink } from '../ui/rich-text.tsx';
import { TextWithContents } from '../ui/table-of-contents.tsx';
import type { ArticleContent } from './article.ts';
import { ArticleFacts, ArticleGrid } from './article-list.tsx';

export default function ArticlePage({ content }: { content: ArticleContent }) {
  const { article, more } = content;
  return (
    <>
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
          <div className="mt-12 flex max-w-text flex-wrap items-center gap-x-6 gap-y-4 border-t border-line pt-8 max-sm:mb-7 sm:text-[1.125rem] print:hidden">
            <ButtonLink href={HOME_SECTIONS.contact.path}>Contact Us</ButtonLink>
            <span className="text-sm">
              or call <CompanyPhone className="text-primary tabular-nums underline-offset-4" />
            </span>
            <span className="sm:ml-auto">
              <BackToNews />
            </span>
          </div>
        </TextWithContents>
      </article>
      {more.length > 0 && (
        <div className="print:hidden">
          <Section id="more-articles" heading="More articles" background="paper" small>
            <ArticleGrid articles={more} brief />
          </Section>
        </div>
      )}
    </>
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
      className="aspect-3/2 w-full rounded-card bg-paper-deep object-cover"
    />
  );
}

function Sources({ sources }: Pick<ArticleContent['article'], 'sources'>) {
  return (
    <section aria-labelledby="sources" className="mt-12 max-w-text sm:text-[1.125rem]">
      <h2 id="sources" className="text-base">
        Sources
      </h2>
      <ul className="mt-3 grid gap-2 text-sm">
        {sources.map(({ title, url }) => (
          <li key={url}>
            <TextLink href={url}>{title}</TextLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
