import ArrowLeft from 'lucide-react/icons/arrow-left';
import { fields, list, nullable, text } from '../platform/old/read.ts';
import { readRichText } from '../platform/old/read-rich-text.ts';
import { useSite } from '../platform/site.ts';
import { ButtonLink } from '../ui/button.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Picture } from '../ui/picture.tsx';
import { TextLink } from '../ui/text/rich-text.tsx';
import { TextWithContents } from '../ui/text/text-with-contents.tsx';
import { type Article, type ArticleContent, type ArticleLink, articleSummary } from './article.ts';
import { ArticleFacts } from './article-facts.tsx';
import { Neighbours } from './article-neighbours.tsx';

const readLink = nullable(fields<ArticleLink>({ slug: text, title: text }));

const readBody = fields<Pick<Article, 'sources' | 'body'>>({
  sources: list(fields<Article['sources'][number]>({ title: text, url: text })),
  body: readRichText,
});
const readArticle = (value: unknown): Article | undefined => {
  const summary = articleSummary.safeParse(value).data;
  const rest = readBody(value);
  return summary && rest && { ...summary, ...rest };
};

export const readContent = fields<ArticleContent>({
  article: readArticle,
  previous: readLink,
  next: readLink,
});

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
          <ArticleFacts article={article} />
        </div>
      </PageTitle>
      <TextWithContents text={article.body}>
        {article.sources.length > 0 && <Sources sources={article.sources} />}
        <div className="mt-12 flex flex-wrap items-center gap-x-6 gap-y-4 border-t border-line pt-8 print:hidden">
          <ButtonLink href="/#contact">Contact Us</ButtonLink>
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
      href="/news"
      className="inline-flex min-h-11 items-center gap-1.5 text-sm font-medium text-primary hover:text-primary-deep print:hidden"
    >
      <ArrowLeft className="size-4" />
      Back to News
    </a>
  );
}

/** An article without a picture of its own shows the company's logo. */
function ArticlePicture({ article: { image, imageAlt } }: { article: Article }) {
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

function Sources({ sources }: { sources: Article['sources'] }) {
  return (
    <section aria-labelledby="sources" className="mt-12 max-w-prose text-sm">
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
