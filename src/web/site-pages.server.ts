/** The site map: each page of the public document, with its address, its title, and what it shows. */
import type { Catalogue } from '../catalogue/live-catalogue.server.ts';
import type { AddOnPrices } from '../catalogue/pricing.ts';
import { CHECKOUT } from '../checkout/checkout-data.ts';
import { type ContactOutcome, SENT } from '../contact/contact.ts';
import type { Content } from '../content.server.ts';
import { type Article, NEWS, TOPICS } from '../news/article.ts';
import { summaryOf } from '../news/read-articles.server.ts';
import { CannotStart } from '../platform/config/cannot-start.server.ts';
import { formatDollars } from '../platform/money.ts';
import { SAFEGUARDS } from '../safeguards/safeguards-address.ts';
import { STAFF_PATHS } from '../staff/staff-pages.ts';
import type { PageView } from './pages.ts';

/** How many of the articles the home page shows. */
const NEWS_ON_HOME = 9;

/** Every page by its one true address. `addOns`: the prices of the day; `mailed`: the site can send emails. */
export function sitePages(
  content: Content,
  catalogue: Catalogue,
  addOns: AddOnPrices,
  mailed: boolean,
): Map<string, PageView> {
  const { company, articles, texts, safeguards, sheets } = content;
  const { services, solutions, plans } = catalogue;
  const summaries = articles.map(summaryOf);
  const home: PageView = {
    name: 'home',
    path: '/',
    title: 'IT Services & Solutions',
    description: company.description,
    content: {
      slides: content.slides,
      news: summaries.slice(0, NEWS_ON_HOME),
      testimonials: content.testimonials,
      from: leastPrice(catalogue),
      services,
      solutions,
      plans,
      addOns,
      comparison: content.comparison,
      questions: content.questions,
    },
  };
  const news: PageView = {
    name: 'news',
    ...NEWS,
    description: `Articles by ${company.name} on security, compliance, operations, and communications for businesses and car dealerships, each with a Monday to-do list.`,
    content: { articles: summaries },
  };
  const textPages = texts.map(
    (text): PageView => ({ name: 'text', ...pageHead(text), content: text }),
  );
  const check: PageView = {
    name: 'safeguards',
    ...SAFEGUARDS,
    description: `${safeguards.questions.length} questions on the nine elements of 16 CFR Part 314, for auto dealerships: what’s in place, what isn’t, and what to do first. Nothing is stored.`,
    content: { check: safeguards, plans: plans.map(({ id, name }) => ({ id, name })), mailed },
  };
  const sheetPages = sheets.map(
    (sheet): PageView => ({ name: 'sheet', ...pageHead(sheet), content: sheet }),
  );
  const resources: PageView = {
    name: 'resources',
    path: '/resources/',
    title: 'Resources',
    description: `Guides and policies from ${company.name}, and how to reach our support team in ${company.address.city}.`,
    content: {
      topics: TOPICS.map((topic) => ({
        topic,
        articles: summaries.filter((article) => article.topic === topic),
      })).filter((group) => group.articles.length > 0),
      legal: texts.filter(({ isLegal }) => isLegal).map(pageHead),
      checks: [check, ...sheetPages].map(({ path, title, description }) => ({
        path,
        title,
        description,
      })),
    },
  };
  const pages = [
    home,
    news,
    ...articles.map((article, place) =>
      articlePage(article, articles[place + 1], articles[place - 1]),
    ),
    ...textPages,
    check,
    ...sheetPages,
    resources,
  ];
  const addresses = [...pages.map(({ path }) => path), ...OTHER_DOCUMENTS].map(bare);
  for (const { path } of textPages) {
    if (addresses.filter((each) => each === path).length > 1)
      throw new CannotStart(`content/pages${path}.md: the site has another page at ${path}`);
  }
  return new Map(pages.map((page) => [page.path, page]));
}

/** '$450', with the cents only where there are any. */
function leastPrice({ plans }: Catalogue): string {
  const [least] = plans.map(({ price }) => price).sort((a, b) => a - b);
  return least === undefined ? '' : formatDollars(least).replace('.00', '');
}

/** Of a page that is one file of content/, and has its name as its address. */
function pageHead(file: { name: string; title: string; description: string; updated: string }) {
  const { name, title, description, updated } = file;
  return { path: `/${name}`, title, description, updated };
}

function articlePage(
  article: Article,
  previous: Article | undefined,
  next: Article | undefined,
): PageView {
  const { slug, title, excerpt, date, image, imageAlt } = article;
  const link = (other: Article | undefined) =>
    other ? { slug: other.slug, title: other.title } : null;
  return {
    name: 'article',
    path: `${NEWS.path}/${slug}`,
    title,
    description: excerpt,
    updated: date,
    ...(image ? { picture: { image, alt: imageAlt } } : {}),
    content: { article, previous: link(previous), next: link(next) },
  };
}

/** The answer to a message that was sent without script; it is private, so it is on no map. */
export function contactPage(content: ContactOutcome): PageView {
  return {
    name: 'contact',
    path: '/contact',
    title: 'reference' in content ? SENT.title : 'Send us a Message',
    description: 'Send us a message.',
    content,
  };
}

/** The same for every address that has no page, so that one finished page serves them all. */
export const NOT_FOUND: PageView = {
  name: 'not-found',
  path: '',
  title: '404 Not Found',
  description: 'We can’t find that page.',
  content: null,
};

/** Documents of their own, which have one true address as the pages have. */
const OTHER_DOCUMENTS = [CHECKOUT.path, ...STAFF_PATHS];

/** Far longer than any address of ours, and short enough for a regular expression that looks for slashes at its end. */
const LONGEST_MISSPELLED = 300;

/**
 * The one true address of a page that was requested with slashes or capital letters too many; undefined when
 * there is no such page, or when `path` is that address already.
 */
export function trueAddress(
  path: string,
  pages: ReadonlyMap<string, PageView>,
): string | undefined {
  if (path.length > LONGEST_MISSPELLED) return undefined;
  const wanted = bare(path);
  const plan = /^\/checkout\/([\w-]+)$/.exec(wanted);
  const address = plan
    ? wanted
    : [...pages.keys(), ...OTHER_DOCUMENTS].find((each) => bare(each) === wanted);
  return address === path ? undefined : address;
}

function bare(path: string): string {
  return path.toLowerCase().replace(/(?<=.)\/+$/, '');
}
