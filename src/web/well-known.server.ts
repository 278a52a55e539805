/** The small files that other programs ask for by name. */
import type { Plan } from '../catalogue/catalogue.ts';
import { addressLine } from '../company/company.ts';
import { openingHours } from '../company/hours.ts';
import { formatDollars } from '../platform/money.ts';
import type { Site } from '../platform/site.ts';
import { pictureAddress } from '../ui/picture.tsx';
import type { PageView } from './pages.ts';

export function robots(publicUrl: string): string {
  return `User-agent: *
Disallow: /admin
Disallow: /api/

Sitemap: ${publicUrl}/sitemap.xml
`;
}

/** RFC 9116 wants less than a year; the file is written anew every day. */
const SECURITY_TXT_DAYS = 180;

export function securityTxt({ company, publicUrl }: Site, today: Date): string {
  const expires = new Date(today);
  expires.setUTCHours(0, 0, 0, 0);
  expires.setUTCDate(expires.getUTCDate() + SECURITY_TXT_DAYS);
  return `Contact: mailto:${company.email}
Contact: tel:${company.phone.tel}
Expires: ${expires.toISOString()}
Preferred-Languages: en
Canonical: ${publicUrl}/.well-known/security.txt
Policy: ${publicUrl}/security-policy
`;
}

export function webManifest({ company, pictures }: Site): string {
  const icon = (file: string, size: number, purpose: string) => ({
    src: pictureAddress(file, pictures[file]),
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  const manifest = {
    name: company.name,
    short_name: company.name,
    description: company.description,
    id: '/',
    start_url: '/',
    scope: '/',
    display: 'browser',
    lang: 'en-US',
    background_color: '#ffffff',
    theme_color: '#ffffff',
    icons: [
      icon('/pictures/icon-192.png', 192, 'any'),
      icon('/pictures/icon-512.png', 512, 'any'),
      icon('/pictures/icon-maskable-512.png', 512, 'maskable'),
    ],
  };
  return JSON.stringify(manifest, null, 2);
}

/** llmstxt.org: the site in Markdown, for language models that answer questions about the company. */
export function llmsTxt(
  views: Iterable<PageView>,
  plans: readonly Plan[],
  { company, publicUrl }: Site,
): string {
  const all = [...views];
  const links = (wanted: readonly PageView['name'][]) =>
    all
      .filter(({ name }) => wanted.includes(name))
      .map(({ title, path, description }) => `- [${title}](${publicUrl}${path}): ${description}`)
      .join('\n');
  return `# ${company.name}

> ${company.description}

- Phone: ${company.phone.display}
- Email: ${company.email}
- Address: ${addressLine(company.address)}
- Support hours: ${openingHours(company.hours)}

## Plans

Prices are in US dollars, billed monthly. Microsoft 365 licenses and cloud backup are optional and priced per user.

${plans.map(({ id, name, price, description }) => `- [${name}](${publicUrl}/checkout?plan=${id}): ${formatDollars(price)} per month. ${description}`).join('\n')}

## Pages

${links(['home', 'news', 'resources', 'safeguards', 'sheet'])}

## Articles

${links(['article'])}

## Legal

${links(['legal'])}
`;
}
