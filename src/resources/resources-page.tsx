import ArrowRight from 'lucide-react/icons/arrow-right';
import type { ReactNode } from 'react';
import { unbrokenHours } from '../company/hours.ts';
import type { ArticleSummary } from '../news/article.ts';
import { useSite } from '../platform/site.ts';
import { formatDate } from '../platform/time.ts';
import { fillPath, HOME_SECTIONS, SITE_PAGES } from '../routes.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Card, Section } from '../ui/layout.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Picture } from '../ui/picture.tsx';

interface Listed {
  path: string;
  title: string;
  description: string;
}

interface ResourcesContent {
  topics: readonly { topic: string; articles: readonly ArticleSummary[] }[];
  /** The Safeguards check and the pages of content/trust. */
  checks: readonly Listed[];
  legal: readonly (Listed & { updated: string })[];
}

/** In the order of what readers come for: help, a check, an answer, a rule. */
export default function ResourcesPage({ content }: { content: ResourcesContent }) {
  const [first, ...checks] = content.checks;
  return (
    <>
      <PageTitle title="Resources" lead="Guides, policies, and how to reach us." />
      <Support />
      <Section id="checks" heading="Check for yourself" background="paper" small>
        {first && (
          <Card className="lg:flex lg:items-center lg:justify-between lg:gap-10">
            <div>
              <h3 className="text-xl tracking-tight">{first.title}</h3>
              <p className="mt-2 max-w-text">{first.description}</p>
            </div>
            <ButtonLink href={first.path} className="shrink-0 max-lg:mt-5">
              Take the check
            </ButtonLink>
          </Card>
        )}
        <ul className="mt-4 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {checks.map((page) => (
            <LinkCard key={page.path} {...page} />
          ))}
        </ul>
      </Section>
      <Section id="articles" heading="Articles by topic" small>
        <ul className="grid gap-x-8 gap-y-6 sm:grid-cols-2 lg:grid-cols-3 lg:gap-y-10">
          {content.topics.flatMap(({ articles }) =>
            articles.map((article) => <ArticleRow key={article.slug} article={article} />),
          )}
        </ul>
      </Section>
      <Section id="legal" heading="Legal pages" background="paper" small>
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {content.legal.map(({ updated, ...page }) => (
            <LinkCard key={page.path} {...page}>
              Last updated <time dateTime={updated}>{formatDate(updated)}</time>
            </LinkCard>
          ))}
        </ul>
      </Section>
    </>
  );
}

const LINK =
  'font-semibold text-ink underline-offset-4 after:absolute after:inset-0 hover:text-primary hover:underline';

/** Its link covers it. */
function LinkCard({ path, title, description, children }: Listed & { children?: ReactNode }) {
  return (
    <li className="relative flex flex-col rounded-card border border-line bg-surface p-5 hover:border-edge">
      <a href={path} className={`flex justify-between gap-3 ${LINK}`}>
        {title}
        <ArrowRight className="mt-1.5 size-4 shrink-0 text-primary" />
      </a>
      <p className="mt-2 flex-1 text-sm">{description}</p>
      {children && <p className="mt-3 text-xs text-muted">{children}</p>}
    </li>
  );
}

function ArticleRow({ article }: { article: ArticleSummary }) {
  const { slug, title, date, topic, readingMinutes, image } = article;
  return (
    <li className="relative grid grid-cols-[6rem_1fr] items-start gap-x-4">
      {image && (
        <Picture
          image={image}
          alt=""
          sizes="6rem"
          className="aspect-square w-full rounded-control bg-paper-deep object-cover"
        />
      )}
      <div className="col-start-2">
        <p className="text-xs font-medium text-primary">{topic}</p>
        <a href={fillPath(SITE_PAGES.article.path, slug)} className={`block text-sm ${LINK}`}>
          {title}
        </a>
        <p className="mt-1 text-xs text-muted">
          <time dateTime={date}>{formatDate(date)}</time> ·{' '}
          <span className="whitespace-nowrap">{`${readingMinutes} min read`}</span>
        </p>
      </div>
    </li>
  );
}

function Support() {
  const { phone, email, hours } = useSite().company;
  return (
    <Section
      id="support"
      heading="How to reach support"
      lead={`Our team answers ${unbrokenHours(hours)}.`}
      small
    >
      <p>
        Something down? Call. Not urgent? Email, message, or chat. The same team answers them all.
      </p>
      <div className="mt-6 grid gap-3 sm:flex sm:flex-wrap">
        <ButtonLink href={`tel:${phone.tel}`}>{`Call ${phone.display}`}</ButtonLink>
        <ButtonLink href={`mailto:${email}`} variant="quiet">
          {email}
        </ButtonLink>
        <ButtonLink href={HOME_SECTIONS.contact.path} variant="quiet">
          Send us a message
        </ButtonLink>
      </div>
    </Section>
  );
}
