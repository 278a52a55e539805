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

/** In the order of what readers come for: help, a check, an answer, a rule. */
export default function ResourcesPage({ content }: { content: ResourcesContent }) {
  const { phone, email, hours } = useSite().company;
  const { check, sheets, topics, legal } = content;
  return (
    <>
      <PageTitle title="Resources" lead="Guides, policies, and how to reach us." />
      <Container className="grid gap-10 pt-8 pb-14 lg:gap-14 lg:py-16">
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
          className="flex flex-wrap items-center justify-between gap-x-8 gap-y-5 rounded-card bg-primary-soft px-6 py-6 sm:px-8"
        >
          <div className="max-w-text">
            <h2 id="check-heading" className="text-lg tracking-tight">
              {check.title}
            </h2>
            <p className="mt-1 text-sm text-pretty">{check.description}</p>
          </div>
          <ButtonLink href={check.path}>Take the check</ButtonLink>
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
              <div key={topic} className={`not-last:mb-6 break-inside-avoid ${BOX}`}>
                <h3 className="border-b border-line bg-paper px-4 py-1.5 text-xs sm:px-6 sm:py-2">
                  {topic}
                </h3>
                <ul className={ROWS}>
                  {articles.map(({ slug, title, date, readingMinutes, image }) => (
                    <Row
                      key={slug}
                      href={fillPath(SITE_PAGES.article.path, slug)}
                      name={title}
                      image={image}
                    >
                      <time dateTime={date}>{formatDate(date)}</time>
                      <span>{` · ${readingMinutes} min`}</span>
                    </Row>
                  ))}
                </ul>
              </div>
            ))}
          </div>
        </Group>
        <Group id="legal" heading="Legal pages">
          <Rows columns="lg:grid-cols-4">
            {legal.map(({ path, title, updated }) => (
              <Row key={path} href={path} name={title}>
                Updated <time dateTime={updated}>{formatDate(updated)}</time>
              </Row>
            ))}
          </Rows>
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

const BOX = 'overflow-hidden rounded-card border border-line';
/** Their gaps are the lines between them. */
const ROWS = 'grid gap-px bg-line';

/** What belongs together, in one border. */
function Rows({ columns, children }: { columns: string; children: ReactNode }) {
  return <ul className={`${BOX} ${ROWS} ${columns}`}>{children}</ul>;
}

interface RowProps {
  href: string;
  name: string;
  icon?: ComponentType<{ className?: string }>;
  image?: ArticleSummary['image'];
  children: ReactNode;
}

/** Its link covers it. At the right edge, its arrow is beside the chat button. */
function Row({ href, name, icon: Icon, image, children }: RowProps) {
  return (
    <li className="relative flex min-h-12 items-center gap-3 bg-surface px-4 py-2 hover:bg-paper sm:gap-4 sm:py-3.5 sm:pr-8 sm:pl-6">
      {Icon && <Icon className="size-5 shrink-0 text-primary" />}
      {image && (
        <div className="shrink-0">
          <Picture
            image={image}
            alt=""
            sizes="3.5rem"
            className="size-11 rounded-control bg-paper-deep object-cover sm:size-14"
          />
        </div>
      )}
      <div className="min-w-0 flex-1 self-start">
        <a
          href={href}
          className={`block text-balance break-words tabular-nums underline-offset-4 after:absolute after:inset-0 hover:underline font-semibold text-ink ${Icon ? '' : 'text-sm max-sm:leading-5'}`}
        >
          {name}
        </a>
        <p className="mt-0.5 text-xs text-pretty text-muted sm:text-sm">{children}</p>
      </div>
      <ArrowRight className={`size-4 shrink-0 text-primary ${image ? 'max-sm:hidden' : ''}`} />
    </li>
  );
}
