import type { ReactNode } from 'react';
import { unbrokenHours } from '../company/hours.ts';
import type { ArticleSummary } from '../news/article.ts';
import { useSite } from '../platform/site.ts';
import { formatDate } from '../platform/time.ts';
import { fillPath, HOME_SECTIONS, SITE_PAGES } from '../routes.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Section } from '../ui/layout.tsx';
import { PageTitle } from '../ui/page-title.tsx';

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
  return (
    <>
      <PageTitle title="Resources" lead="Guides, policies, and how to reach us." />
      <Support />
      <Section id="checks" heading="Check for yourself" layout="beside" background="paper">
        <ul>
          {content.checks.map(({ path, title, description }) => (
            <Row key={path} href={path} title={title}>
              {description}
            </Row>
          ))}
        </ul>
      </Section>
      <Section id="articles" heading="Articles by topic" layout="beside">
        <div className="grid gap-x-8 gap-y-10 md:grid-cols-2">
          {content.topics.map(({ topic, articles }) => (
            <div key={topic}>
              <h3 className="text-lg">{topic}</h3>
              <ul className="mt-3">
                {articles.map(({ slug, title, date, readingMinutes }) => (
                  <Row key={slug} href={fillPath(SITE_PAGES.article.path, slug)} title={title}>
                    <time dateTime={date}>{formatDate(date)}</time> ·{' '}
                    <span className="whitespace-nowrap">{`${readingMinutes} min read`}</span>
                  </Row>
                ))}
              </ul>
            </div>
          ))}
        </div>
      </Section>
      <Section id="legal" heading="Legal pages" layout="beside" background="paper">
        <ul>
          {content.legal.map(({ path, title, description, updated }) => (
            <Row key={path} href={path} title={title}>
              <span>{description}</span> Last updated{' '}
              <time dateTime={updated}>{formatDate(updated)}</time>.
            </Row>
          ))}
        </ul>
      </Section>
    </>
  );
}

function Row({ href, title, children }: { href: string; title: string; children: ReactNode }) {
  return (
    <li className="border-t border-line py-4">
      <a
        href={href}
        className="font-medium text-ink underline-offset-4 hover:text-primary hover:underline"
      >
        {title}
      </a>
      <p className="mt-1 max-w-text text-sm text-muted">{children}</p>
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
      layout="beside"
    >
      <p>
        Something down? Call. Not urgent? Email, message, or chat. The same team answers them all.
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
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
