/** schema.org data for search engines. */
import type { Plan } from '../catalogue/catalogue.ts';
import type { Article } from '../news/article.ts';
import { toDollars } from '../platform/money.ts';
import type { PublicSite } from '../platform/site.ts';
import { CHECKOUT_PAGES, SITE_PAGES } from '../routes.ts';
import { pictureUrl } from '../ui/picture.tsx';
import type { PageView } from './pages.ts';

export function structuredData(view: PageView, site: PublicSite, plans: readonly Plan[]): object[] {
  switch (view.name) {
    case 'home':
      return [business(site), website(site), ...plans.map((plan) => service(plan, site))];
    case 'article':
      return [
        blogPosting(view.content.article, view, site),
        breadcrumbs(site, [SITE_PAGES.news, view]),
      ];
    case 'not-found':
      return [];
    default:
      return [breadcrumbs(site, [view])];
  }
}

function service(plan: Plan, { company, publicUrl }: PublicSite): object {
  return thing('Service', {
    name: `${company.name} ${plan.name}`,
    serviceType: 'IT managed services',
    description: plan.description,
    provider: { '@id': businessId(publicUrl) },
    offers: {
      '@type': 'Offer',
      url: `${publicUrl}${CHECKOUT_PAGES.checkout.path}?plan=${plan.id}`,
      availability: 'https://schema.org/InStock',
      priceSpecification: {
        '@type': 'UnitPriceSpecification',
        price: toDollars(plan.price).toFixed(2),
        priceCurrency: 'USD',
        // The UN/CEFACT code for month.
        unitCode: 'MON',
      },
    },
  });
}

function blogPosting(article: Article, view: PageView, site: PublicSite): object {
  const { title, excerpt, date, reviewed, topic, image } = article;
  const { publicUrl } = site;
  return thing('BlogPosting', {
    headline: title,
    description: excerpt,
    mainEntityOfPage: publicUrl + view.path,
    image: pictureUrl(image ?? '/pictures/social.jpg', site),
    datePublished: date,
    dateModified: reviewed,
    articleSection: topic,
    inLanguage: 'en-US',
    author: publisher(site),
    publisher: publisher(site),
  });
}

function breadcrumbs(
  { publicUrl }: PublicSite,
  steps: readonly { path: string; title: string }[],
): object {
  return thing('BreadcrumbList', {
    itemListElement: [{ path: '/', title: 'Home' }, ...steps].map(({ path, title }, index) => ({
      '@type': 'ListItem',
      position: index + 1,
      name: title,
      item: publicUrl + path,
    })),
  });
}

function thing(type: string, properties: object): object {
  return { '@context': 'https://schema.org', '@type': type, ...properties };
}

function business(site: PublicSite): object {
  const { company, publicUrl } = site;
  const { street, city, region, postalCode, country } = company.address;
  const { days, opens, closes, closures } = company.hours;
  return thing('ProfessionalService', {
    '@id': businessId(publicUrl),
    name: company.name,
    legalName: company.legalName,
    description: company.description,
    url: `${publicUrl}/`,
    logo: pictureUrl('/pictures/icon-512.png', site),
    image: pictureUrl('/pictures/social.jpg', site),
    telephone: company.phone.tel,
    email: company.email,
    priceRange: company.priceRange,
    address: {
      '@type': 'PostalAddress',
      streetAddress: street,
      addressLocality: city,
      addressRegion: region,
      postalCode,
      addressCountry: country,
    },
    openingHoursSpecification: {
      '@type': 'OpeningHoursSpecification',
      dayOfWeek: days.map((day) => `https://schema.org/${day}`),
      opens,
      closes,
    },
    // Search engines read a day that opens and closes at midnight as closed.
    specialOpeningHoursSpecification: closures.map(({ date, name, hours }) => ({
      '@type': 'OpeningHoursSpecification',
      name,
      validFrom: date,
      validThrough: date,
      opens: hours?.opens ?? '00:00',
      closes: hours?.closes ?? '00:00',
    })),
    sameAs: company.social.map(({ url }) => url),
  });
}

function website({ company, publicUrl }: PublicSite): object {
  return thing('WebSite', {
    '@id': `${publicUrl}/#website`,
    name: company.name,
    url: `${publicUrl}/`,
    description: company.description,
    inLanguage: 'en-US',
    publisher: { '@id': businessId(publicUrl) },
  });
}

function publisher(site: PublicSite) {
  const { company, publicUrl } = site;
  return {
    '@type': 'Organization',
    '@id': businessId(publicUrl),
    name: company.name,
    url: `${publicUrl}/`,
    logo: pictureUrl('/pictures/icon-512.png', site),
  };
}

function businessId(publicUrl: string): string {
  return `${publicUrl}/#business`;
}
