import ArrowRight from 'lucide-react/icons/arrow-right';
import Mail from 'lucide-react/icons/mail';
import MessageSquare from 'lucide-react/icons/message-square';
import Phone from 'lucide-react/icons/phone';
import type { ComponentType, ReactNode } from 'react';
import { unbrokenHours } from '../company/hours.ts';
import type { ArticleSummary } from '../news/article.ts';
import { useSite } from '../platform/site.ts';
import { formatDate } from '../platform/time.ts';
import { fillPath, HOME_SECTIONS, SITE_PAGES } from '../routes.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Section } from '../ui/layout.tsx';
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
          <div className={`lg:flex lg:items-center lg:justify-between lg:gap-10 ${CARD}`}>
            <div>
              <h3 className="text-lg tracking-tight">{first.title}</h3>
              <p className="mt-2 max-w-text text-sm">{first.description}</p>
            </div>
            <ButtonLink href={first.path} className="shrink-0 max-lg:mt-5">
              Take the check
            </ButtonLink>
          </div>
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

const CARD = 'rounded-card border border-line bg-surface p-5 sm:p-6';
const LINK =
  'font-semibold text-ink underline-offset-4 after:absolute after:inset-0 hover:text-primary hover:underline';

/** Its link covers it. */
function LinkCard({ path, title, description, children }: Listed & { children?: ReactNode }) {
  return (
    <li className={`relative flex flex-col hover:border-edge ${CARD}`}>
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
      afterLead={<p>The same team answers calls, email, messages, and chat.</p>}
      layout="beside"
      small
    >
      <ul className="divide-y divide-line rounded-card border border-line">
        <Way
          icon={Phone}
          href={`tel:${phone.tel}`}
          name={phone.display}
          when="Something down? Call."
        />
        <Way icon={Mail} href={`mailto:${email}`} name={email} when="Not urgent? Write an email." />
        <Way
          icon={MessageSquare}
          href={HOME_SECTIONS.contact.path}
          name="Send us a message"
          when="By the form on our home page."
        />
      </ul>
    </Section>
  );
}

interface WayProps {
  icon: ComponentType<{ className?: string }>;
  href: string;
  name: string;
  when: string;
}

function Way({ icon: Icon, href, name, when }: WayProps) {
  return (
    <li className="relative flex items-center gap-4 p-5 sm:px-6">
      <Icon className="size-5 shrink-0 text-primary" />
      <div className="min-w-0 flex-1">
        <a href={href} className={`break-words tabular-nums ${LINK}`}>
          {name}
        </a>
        <p className="text-sm">{when}</p>
      </div>
      <ArrowRight className="size-4 shrink-0 text-primary" />
    </li>
  );
}
