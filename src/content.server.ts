/** Everything under content/, read and checked at start. */
import { existsSync } from 'node:fs';
import { readCatalogueContent } from './catalogue/catalogue-content.server.ts';
import { chatWordsSchema } from './chat/chat-words.ts';
import { companySchema } from './company/company.ts';
import { localDate } from './company/days.ts';
import { placeholdersOf } from './company/placeholders.server.ts';
import { vendorErrors, vendorFileSchema } from './company/vendor-file.ts';
import { homeWordsSchema, slidesSchema } from './home/home.ts';
import { answersSchema } from './inbox/ready-answers.server.ts';
import { KEEP_MESSAGES_DAYS } from './limits.ts';
import { readArticles } from './news/read-articles.server.ts';
import { CannotStart } from './platform/config/cannot-start.server.ts';
import { ContentReader } from './platform/config/content-file.server.ts';
import { PICTURE_FORMATS, picturesSchema, variantPath } from './platform/site.ts';
import { quoteTermsSchema } from './quotes/quote.ts';
import { checkSchema, validateCheck } from './safeguards/check.ts';
import { LEGAL_NAMES, readTextPages } from './text-pages/read-text-pages.server.ts';
import { SHEET_NAMES, sheetSchema } from './trust/sheet.ts';
import { redirectErrors, redirectsSchema, textErrors } from './web/redirects.server.ts';

export type Content = ReturnType<typeof readContent>;

/** Throws a CannotStart that lists every error. The privacy policy states `keepMessagesDays`. */
export function readContent(folder: string, keepMessagesDays = KEEP_MESSAGES_DAYS) {
  if (!existsSync(`${folder}/.`))
    throw new CannotStart(`There is no folder ${folder} for the content: see CONTENT_DIR`);
  const reader = new ContentReader(folder);
  const company = reader.json('company.json', companySchema());
  const vendorFile = reader.json('vendor-file.json', vendorFileSchema());
  const placeholders = placeholdersOf(company, keepMessagesDays, vendorFile);
  const read = {
    company,
    vendorFile,
    slides: reader.json('slides.json', slidesSchema),
    home: reader.json('home.json', homeWordsSchema(), placeholders),
    chat: reader.json('chat.json', chatWordsSchema()),
    answers: reader.json('answers.json', answersSchema),
    quoteTerms: reader.json('quote-terms.json', quoteTermsSchema()),
    ...readCatalogueContent(reader, placeholders, company),
    articles: readArticles(reader, placeholders),
    texts: readTextPages(reader, placeholders),
    safeguards: reader.json('safeguards/check.json', checkSchema),
    sheets: SHEET_NAMES.flatMap((name) => {
      const sheet = reader.json(`trust/${name}.json`, sheetSchema, placeholders);
      return sheet ? [{ ...sheet, name }] : [];
    }),
    redirects: reader.json('redirects.json', redirectsSchema()),
    pictures: reader.json('pictures/manifest.json', picturesSchema()),
    pictureFiles: reader.pictures(),
  };
  if (read.plans && read.safeguards) {
    const errors = validateCheck(read.safeguards, read.plans, read.articles);
    reader.errors.push(...errors.map((error) => `safeguards/check.json: ${error}`));
  }
  reader.errors.push(...textErrors(read), ...redirectErrors(read));
  for (const [file, text] of [
    ['pages/terms-of-service.md', read.texts.find(({ name }) => name === 'terms-of-service')?.text],
    ['trust/trust.json', JSON.stringify(read.sheets.find(({ name }) => name === 'trust'))],
  ] as const)
    reader.errors.push(
      ...vendorErrors(company && vendorFile, text).map((error) => `${file}: ${error}`),
    );
  const day = company && localDate(company, Date.now());
  // The site links to these, so each has a text that holds today.
  for (const name of LEGAL_NAMES) {
    const texts = read.texts.filter((text) => text.name === name);
    if (day && texts.length > 0 && texts.every(({ updated }) => updated > day))
      reader.errors.push(
        `pages/${name}.md: updated: the day is to come; keep the text that holds until then in this file, and call the new one ${name}.next.md`,
      );
  }
  for (const { name, updated } of read.sheets)
    if (day && updated > day) reader.errors.push(`trust/${name}.json: updated: the day is to come`);
  const illustrated = {
    'slides.json': read.slides,
    'catalogue/services.json': read.services,
    'catalogue/solutions.json': read.solutions,
    'catalogue/testimonials.json': read.testimonials,
  };
  const checkPicture = (where: string, image: string) => {
    reader.checkPicture(where, image);
    for (const width of read.pictures?.[image]?.widths ?? [])
      for (const format of PICTURE_FORMATS)
        reader.checkPicture(where, variantPath(image, width, format));
  };
  for (const [file, rows] of Object.entries(illustrated)) {
    for (const [index, { image }] of (rows ?? []).entries()) {
      if (image) checkPicture(`${file}: [${index}].image`, image);
    }
  }
  for (const { slug, image } of read.articles) {
    if (image) checkPicture(`news/${slug}.md: image`, image);
  }
  reader.finish();
  // After `finish`, which throws unless every file could be read.
  const complete = read as Required<{
    [Key in keyof typeof read]: NonNullable<(typeof read)[Key]>;
  }>;
  return { folder, ...complete };
}

/** The origins of pictures on other hosts, for the Content-Security-Policy. */
export function remoteOrigins(content: Content): string[] {
  const { slides, services, solutions, testimonials, articles } = content;
  const illustrated = [...slides, ...services, ...solutions, ...testimonials, ...articles];
  const addresses = illustrated.flatMap(({ image = '' }) => URL.parse(image) ?? []);
  return [...new Set(addresses.map(({ origin }) => origin))];
}
