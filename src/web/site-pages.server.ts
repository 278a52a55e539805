/** Every page of the public document: its path, title and content. */
import type { Catalogue } from '../catalogue/live-catalogue.server.ts';
import type { AddOnPrices } from '../catalogue/pricing.ts';
import { type ContactOutcome, SENT } from '../contact/contact.ts';
import { type Article, TOPICS } from '../news/article.ts';
import { summaryOf } from '../news/read-articles.server.ts';
import { canonicalSpelling, matchingPath } from '../platform/http/canonical-path.server.ts';
import { formatBriefly } from '../platform/money.ts';
import { CHECKOUT_PAGES, fillPath, SITE_PAGES, STAFF_PATHS } from '../routes.ts';
import type { Site } from '../site.server.ts';
import type { PageView } from './pages.ts';
import type { Redirects } from './redirects.server.ts';

type Content = Site['content'];

const NEWS_ON_HOME = 9;

/** Every page by its canonical path. */
export function sitePages(
  content: Content,
  catalogue: Catalogue,
  addOns: AddOnPrices,
): Map<string, PageView> {
  const { home, articles, texts, safeguards, sheets } = content;
  const news: PageView = {
    name: 'news',
    ...SITE_PAGES.news,
    description: home.news.pageDescription,
    content: { articles: articles.map(summaryOf), lead: home.news.pageLead },
  };
  const textPages = texts.map(
    (text): PageView => ({ name: 'text', ...pageHead(text), content: text }),
  );
  const check: PageView = {
    name: 'safeguards',
    ...SITE_PAGES.safeguards,
    title: safeguards.title,
    description: safeguards.description,
    content: {
      check: {
        ...safeguards,
        // One that is dated ahead can't be read yet.
        article: articles.find(({ slug }) => slug === safeguards.article)?.slug ?? null,
      },
      plans: catalogue.plans.map(({ id, name }) => ({ id, name })),
    },
  };
  const sheetPages = sheets.map(
    (sheet): PageView => ({ name: 'sheet', ...pageHead(sheet), content: sheet }),
  );
  const pages = [
    homePage(content, catalogue, addOns),
    news,
    ...articles.map((article, at) =>
      articlePage(article, [...articles.slice(at + 1), ...articles.slice(0, at)].slice(0, 3)),
    ),
    ...textPages,
    check,
    ...sheetPages,
    resourcesPage(content, check, sheetPages),
  ];
  return new Map(pages.map((page) => [page.path, page]));
}

function homePage(content: Content, catalogue: Catalogue, addOns: AddOnPrices): PageView {
  const { company, home, slides, articles, testimonials, comparison, questions } = content;
  const { services, solutions, plans } = catalogue;
  return {
    name: 'home',
    ...SITE_PAGES.home,
    description: company.description,
    content: {
      words: home,
      slides,
      news: articles.slice(0, NEWS_ON_HOME).map(summaryOf),
      testimonials,
      lowestPrice: lowestPrice(catalogue),
      services,
      solutions,
      plans,
      addOns,
      comparison,
      questions,
    },
  };
}

function resourcesPage(
  { company, articles, texts }: Content,
  check: PageView,
  sheets: readonly PageView[],
): PageView {
  const entryOf = ({ path, title, description }: PageView) => ({ path, title, description });
  return {
    name: 'resources',
    ...SITE_PAGES.resources,
    description: `Guides and policies from ${company.name}, and how to reach our support team in ${company.address.city}.`,
    content: {
      topics: TOPICS.map((topic) => ({
        topic,
        articles: articles.filter((article) => article.topic === topic).map(summaryOf),
      })).filter((group) => group.articles.length > 0),
      legal: texts.filter(({ isLegal }) => isLegal).map(pageHead),
      check: entryOf(check),
      sheets: sheets.map(entryOf),
    },
  };
}

/** '$450'; cents only if there are any. */
function lowestPrice({ plans }: Catalogue): string {
  const [lowest] = plans.map(({ price }) => price).sort((a, b) => a - b);
  return lowest === undefined ? '' : formatBriefly(lowest);
}

/** The head of a page that is one file of content/, with the file's name as its path. */
function pageHead(file: { name: string; title: string; description: string; updated: string }) {
  const { name, title, description, updated } = file;
  return { path: `/${name}`, title, description, updated };
}

function articlePage(article: Article, more: readonly Article[]): PageView {
  const { slug, title, excerpt, reviewed, image, imageAlt } = article;
  return {
    name: 'article',
    path: fillPath(SITE_PAGES.article.path, slug),
    title,
    description: excerpt,
    updated: reviewed,
    ...(image ? { picture: { image, alt: imageAlt } } : {}),
    content: { article, more: more.map(summaryOf) },
  };
}

/** The answer to a form without script. Private, so not among the site's pages. */
export function contactView(content: ContactOutcome): PageView {
  return {
    name: 'contact',
    path: SITE_PAGES.contact.path,
    title: 'reference' in content ? SENT.title : SITE_PAGES.contact.title,
    description: 'Send us a message.',
    content,
  };
}

/** The same for every unknown path, so that one cached response serves all of them. */
export const NOT_FOUND: PageView = {
  name: 'not-found',
  path: '',
  title: '404 Not Found',
  description: 'We can’t find that page.',
  content: null,
};

/** Paths of the other documents and of the form, which are also canonical. */
const OTHER_DOCUMENTS = [CHECKOUT_PAGES.checkout.path, SITE_PAGES.contact.path, ...STAFF_PATHS];

/** Longer than any path of ours. */
const MAX_PATH_LENGTH = 300;

/** The path of the page that another spelling or the former site's address means; or undefined. */
export function canonicalPath(
  path: string,
  pages: ReadonlyMap<string, PageView>,
  redirects: Redirects,
): string | undefined {
  const spelled = path.length > MAX_PATH_LENGTH ? undefined : canonicalSpelling(path);
  if (spelled === undefined) return undefined;
  const normalized = matchingPath(spelled);
  const isPlan = /^\/checkout\/[\w-]+$/.test(normalized);
  const canonical = isPlan
    ? normalized
    : ([...pages.keys(), ...OTHER_DOCUMENTS].find((page) => matchingPath(page) === normalized) ??
      redirects[normalized]);
  return canonical === path ? undefined : canonical;
}
