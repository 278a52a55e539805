/** What each page of the site map shows, at every address that it stands at. */
import type { Catalogue } from '../catalogue/live-catalogue.server.ts';
import type { AddOnPrices } from '../catalogue/pricing.ts';
import { CHECKOUT } from '../checkout/checkout-data.ts';
import { type ContactOutcome, SENT } from '../contact/contact.ts';
import type { Content } from '../content.server.ts';
import { type Article, TOPICS } from '../news/article.ts';
import { summaryOf } from '../news/read-articles.server.ts';
import { formatDollars } from '../platform/money.ts';
import { STAFF_PATHS } from '../staff/staff-pages.ts';
import { type PageView, SITE_PAGES } from './pages.ts';

/** How many of the articles the home page shows. */
const NEWS_ON_HOME = 9;

/** Every page of the public document by its one true address. `addOns`: the prices of the day; `mailed`: the site can send emails. */
export function sitePages(
  content: Content,
  catalogue: Catalogue,
  addOns: AddOnPrices,
  mailed: boolean,
): Map<string, PageView> {
  const { company, articles, legal, sheets } = content;
  const summaries = articles.map(summaryOf);
  const check = safeguardsView(content, catalogue, mailed);
  const sheetViews = sheets.map(
    (sheet): PageView => ({
      name: 'sheet',
      path: SITE_PAGES.sheet.path.replace(':sheet', sheet.name),
      title: sheet.title,
      description: sheet.description,
      content: sheet,
    }),
  );
  // By name, so that the compiler misses the page that is on the map and not here.
  const views: Record<Exclude<PageView['name'], 'contact' | 'not-found'>, PageView[]> = {
    home: [
      {
        ...headOf('home'),
        description: company.description,
        content: {
          slides: content.slides,
          news: summaries.slice(0, NEWS_ON_HOME),
          testimonials: content.testimonials,
          from: leastPrice(catalogue),
          services: catalogue.services,
          solutions: catalogue.solutions,
          plans: catalogue.plans,
          addOns,
          comparison: content.comparison,
          questions: content.questions,
        },
      },
    ],
    news: [
      {
        ...headOf('news'),
        description: `Articles by ${company.name} on security, compliance, operations, and communications for businesses and car dealerships, each with a Monday to-do list.`,
        content: { articles: summaries },
      },
    ],
    article: articles.map((article, index) =>
      articleView(article, articles[index + 1], articles[index - 1]),
    ),
    legal: legal.map((document) => ({
      name: 'legal',
      path: SITE_PAGES.legal.path.replace(':name', document.name),
      title: document.title,
      description: document.description,
      content: document,
    })),
    safeguards: [check],
    sheet: sheetViews,
    resources: [
      {
        ...headOf('resources'),
        description: `Guides and policies from ${company.name}, and how to reach our support team in ${company.address.city}.`,
        content: {
          topics: TOPICS.map((topic) => ({
            topic,
            articles: summaries.filter((article) => article.topic === topic),
          })).filter((group) => group.articles.length > 0),
          legal: legal.map(({ name, title, description, updated }) => ({
            path: `/${name}`,
            title,
            description,
            updated,
          })),
          checks: [check, ...sheetViews].map(({ path, title, description }) => ({
            path,
            title,
            description,
          })),
        },
      },
    ],
  };
  const all = Object.values(views).flat();
  return new Map(all.map((view) => [view.path, view]));
}

/** '$450', with the cents only where there are any. */
function leastPrice({ plans }: Catalogue): string {
  const [least] = plans.map(({ price }) => price).sort((a, b) => a - b);
  return least === undefined ? '' : formatDollars(least).replace('.00', '');
}

/** Of a page with a title and an address of its own. */
function headOf<
  Name extends 'home' | 'news' | 'resources' | 'safeguards' | 'contact' | 'not-found',
>(name: Name) {
  const { path, title } = SITE_PAGES[name];
  return { name, path, title };
}

function safeguardsView(
  { safeguards: check }: Content,
  { plans }: Catalogue,
  mailed: boolean,
): PageView {
  return {
    ...headOf('safeguards'),
    description: `${check.questions.length} questions on the nine elements of 16 CFR Part 314, for auto dealerships: what’s in place, what isn’t, and what to do first. Nothing is stored.`,
    content: { check, plans: plans.map(({ id, name }) => ({ id, name })), mailed },
  };
}

/** The answer to a message that was sent without script; it is private, so it is on no map. */
export function contactView(content: ContactOutcome): PageView {
  const sent = 'reference' in content;
  return {
    ...headOf('contact'),
    ...(sent && { title: SENT.title }),
    description: 'Send us a message.',
    content,
  };
}

function articleView(
  article: Article,
  previous: Article | undefined,
  next: Article | undefined,
): PageView {
  const { slug, title, excerpt, image, imageAlt } = article;
  const link = (other: Article | undefined) =>
    other ? { slug: other.slug, title: other.title } : null;
  return {
    name: 'article',
    path: SITE_PAGES.article.path.replace(':slug', slug),
    title,
    description: excerpt,
    ...(image ? { picture: { image, alt: imageAlt } } : {}),
    content: { article, previous: link(previous), next: link(next) },
  };
}

/** The same for every address that has no page, so that one finished page serves them all. */
export const NOT_FOUND: PageView = {
  ...headOf('not-found'),
  description: 'We can’t find that page.',
  content: null,
};

/** Documents of their own, which have one true address as the pages have. */
const OTHER_DOCUMENTS = [CHECKOUT.path, ...STAFF_PATHS];

/** Far longer than any address of ours. */
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

/** Slash by slash: a regular expression would try the slashes in the middle of a path again from each of them. */
function bare(path: string): string {
  let end = path.length;
  while (end > 1 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end).toLowerCase();
}
