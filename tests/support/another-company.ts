/** content/ of another company, in tests/another-company. */
import { copyFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { type Content, readContent } from '../../src/content.server.ts';
import { ownContent } from './own-content.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The pictures that every company has and that hold no words, and one for all others. */
const PICTURES = {
  'photo.jpg': 'service-cloud.jpg',
  'social.jpg': 'social.jpg',
  'favicon.ico': 'favicon.ico',
  'apple-touch-icon.png': 'apple-touch-icon.png',
  'icon-192.png': 'icon-192.png',
  'icon-512.png': 'icon-512.png',
  'icon-maskable-512.png': 'icon-maskable-512.png',
};

/** A content folder with all that tests/another-company has. */
export function anotherCompany(): string {
  const folder = temporaryFolder();
  cpSync('tests/another-company', folder, { recursive: true });
  for (const [name, source] of Object.entries(PICTURES))
    copyFileSync(join('content/pictures', source), join(folder, 'pictures', name));
  return folder;
}

/** Shorter words may stand in any text. */
const SHORTEST = 20;

/** The words of our content that neither the other company nor the specification has. */
export function wordsOfOurCompany(folder: string): string[] {
  const ours = ownContent();
  const theirs = textsOf(readContent(folder)).join('\n');
  const { name, supportName, phone, email, address, hours } = ours.company;
  const illustrations = Object.keys(ours.pictures).filter((path) => ours.pictures[path]?.widths);
  const short = [
    ...[name, supportName, phone.display, phone.tel, email.split('@')[1] ?? '', address.city],
    ...[address.postalCode, hours.timeZone, 'Georgia', 'dealership'],
    ...ours.plans.map((plan) => plan.name),
    ...ours.articles.map(({ slug }) => slug),
    ...illustrations,
  ];
  const isPath = (text: string) => text.startsWith('/');
  const long = textsOf(ours).filter((text) => text.length >= SHORTEST && !isPath(text));
  return [...new Set([...short, ...long])].filter((text) => !theirs.includes(text));
}

function textsOf({ folder: _, pictures: __, ...content }: Content): string[] {
  const texts: string[] = [];
  JSON.stringify(content, (_key, part: unknown) => {
    if (typeof part === 'string') texts.push(part);
    return part;
  });
  return texts;
}
