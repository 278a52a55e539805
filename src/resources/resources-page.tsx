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
import { ChatButton } from '../ui/contact-links.tsx';
import { Container } from '../ui/layout.tsx';
import { PageTitle } from '../ui/page-title.tsx';
import { Picture } from '../ui/picture.tsx';
import { TextLink } from '../ui/rich-text.tsx';

interface Entry {
  path: string;
  title: string;
  description: string;
}

interface ResourcesContent {
  topics: readonly { topic: string; articles: readonly ArticleSummary[] }[];
  check: Entry;
  /** The pages of content/trust. */
  sheets: readonly Entry[];
  legal: readonly { path: string; title: string; updated: string }[];
}

/** Only shown if content/ has it. */
const GUARDED_CAR = '/pictures/news-ftc-safeguards-rule.jpg';

/** In the order of what readers come for: help, a check, an answer, a rule. */
export default function ResourcesPage({ content }: { content: ResourcesContent }) {
  const { pictures, company } = useSite();
  const { phone, email, hours } = company;
  const { check, sheets, topics, legal } = content;
  return (
    <>
      <PageTitle title="Resources" lead="Guides, policies, and how to reach us." />
      <Container className="grid grid-cols-1 gap-10 pt-8 pb-14 lg:gap-14 lg:py-16">
        <Group
          id="support"
          heading="How to reach support"
          lead={
            <>
              <span>{`Our team answers calls, email, messages, and chat ${unbrokenHours(hours)}. `}</span>
              <ChatButton />
            </>
          }
        >
          <Rows columns="lg:grid-cols-3">
            <Row icon={Phone} href={`tel:${phone.tel}`} name={phone.display}>
              Something down? Call.
            </Row>
            <Row icon={Mail} href={`mailto:${email}`} name={email}>
              Not urgent? Write an email.
            </Row>
            <Row icon={MessageSquare} href={HOME_SECTIONS.contact.path} name="Send us a message">
              We reply by email.
            </Row>
          </Rows>
        </Group>
        <section
          id="check"
          aria-labelledby="check-heading"
          className="grid overflow-hidden rounded-card bg-primary-soft sm:grid-cols-[7fr_5fr]"
        >
          <div className="self-center p-6 sm:p-10">
            <h2
              id="check-heading"
              className="text-xl tracking-tight sm:text-[1.75rem] sm:leading-8.5"
            >
              {check.title}
            </h2>
            <p className="mt-2 mb-5 max-w-text text-pretty">{check.description}</p>
            <ButtonLink href={check.path}>Take the check</ButtonLink>
          </div>
          {pictures[GUARDED_CAR] && (
            <div className="relative max-sm:order-first max-sm:aspect-2/1">
              <Picture
                image={GUARDED_CAR}
                alt=""
                sizes="(min-width: 80rem) 31rem, (min-width: 40rem) 42vw, 92vw"
                className="absolute inset-0 size-full object-cover object-[50%_70%]"
              />
            </div>
          )}
        </section>
        <Group id="checks" heading="Check for yourself">
          <Rows columns="lg:grid-cols-2">
            {sheets.map(({ path, title, description }) => (
              <Row key={path} href={path} name={title}>
                {description}
              </Row>
            ))}
          </Rows>
        </Group>
        <Group id="articles" heading="Articles by topic">
          <div className="gap-6 lg:columns-2">
            {topics.map(({ topic, articles }) => (
              <div key={topic} className="not-last:mb-6 break-inside-avoid">
                <h3 className="mb-2 text-base">{topic}</h3>
                <Rows>
                  {articles.map(({ slug, title, date, readingMinutes }) => (
                    <Row key={slug} href={fillPath(SITE_PAGES.article.path, slug)} name={title}>
                      <time dateTime={date}>{formatDate(date)}</time>
                      <span>{` · ${readingMinutes} min`}</span>
                    </Row>
                  ))}
                </Rows>
              </div>
            ))}
          </div>
        </Group>
        <Group id="legal" heading="Legal pages">
          <ul className="grid gap-x-6 gap-y-5 sm:grid-cols-2 lg:grid-cols-4">
            {legal.map(({ path, title, updated }) => (
              <li
                key={path}
                className="text-sm max-sm:flex max-sm:items-baseline max-sm:justify-between"
              >
                <TextLink href={path}>{title}</TextLink>
                <p className="text-xs text-muted sm:mt-0.5">
                  Updated <time dateTime={updated}>{formatDate(updated)}</time>
                </p>
              </li>
            ))}
          </ul>
        </Group>
      </Container>
    </>
  );
}

interface GroupProps {
  id: string;
  heading: string;
  lead?: ReactNode;
  children: ReactNode;
}

function Group({ id, heading, lead, children }: GroupProps) {
  return (
    <section id={id} aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`} className="text-xl tracking-tight">
        {heading}
      </h2>
      {lead && <p className="mt-1 text-sm">{lead}</p>}
      <div className="mt-4">{children}</div>
    </section>
  );
}

/** What belongs together, in one border. Their gaps are the lines between them. */
function Rows({ columns = '', children }: { columns?: string; children: ReactNode }) {
  return (
    <ul
      className={`grid grid-cols-1 gap-px overflow-hidden rounded-card border border-line bg-line ${columns}`}
    >
      {children}
    </ul>
  );
}

interface RowProps {
  href: string;
  name: string;
  icon?: ComponentType<{ className?: string }>;
  children: ReactNode;
}

/** Its link covers it. At the right edge, its arrow is beside the chat button. */
function Row({ href, name, icon: Icon, children }: RowProps) {
  return (
    <li className="relative flex min-h-12 items-center gap-3 bg-surface px-4 py-2 hover:bg-paper sm:gap-4 sm:py-3.5 sm:pr-8 sm:pl-6">
      {Icon && <Icon className="size-5 shrink-0 text-primary" />}
      <div className="min-w-0 flex-1 self-start">
        <a
          href={href}
          className={`block text-balance tabular-nums underline-offset-4 after:absolute after:inset-0 hover:underline font-semibold text-ink ${Icon ? '' : 'text-sm max-sm:leading-5'}`}
        >
          {name}
        </a>
        <p className="mt-0.5 text-xs text-pretty text-muted sm:text-sm">{children}</p>
      </div>
      {!Icon && <ArrowRight className="size-4 shrink-0 text-primary" />}
    </li>
  );
}
