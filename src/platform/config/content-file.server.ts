/** Reads files of content/ and checks them against schemas; errors name file and field. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load as loadYaml } from 'js-yaml';
import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import { listPictures, PICTURE_TYPES, type PictureFile } from '../http/assets.server.ts';
import { type Inline, inlineText, type RichText } from '../rich-text.ts';
import { CannotStart, reason } from './cannot-start.server.ts';
import { readMarkdown } from './markdown.server.ts';

/** zod/mini has no messages, to keep browser bundles small; most come from the full package. */
const ZOD_WORDS = en().localeError;
const ZOD_MESSAGES = {
  error(issue: z.core.$ZodRawIssue) {
    if (issue.code === 'invalid_type' && issue.input === undefined) return 'is missing';
    if (issue.code === 'too_small' && issue.origin === 'string') return 'must not be empty';
    return issue.code === 'invalid_key' ? issue.issues[0]?.message : ZOD_WORDS(issue);
  },
};

/** A file's text with \n line breaks, without a byte order mark. Throws unless it is UTF-8. */
function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r\n?/g, '\n');
  } catch {
    const [before = ''] = bytes.toString('utf8').split('\uFFFD', 1);
    throw new Error(
      `line ${before.split('\n').length}: these bytes are not UTF-8; please save the file as UTF-8`,
    );
  }
}

const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Reads one content folder and collects the errors of all its files. */
export class ContentReader {
  readonly errors: string[] = [];
  readonly #folder: string;
  #pictures: ReadonlySet<string> = new Set();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** `placeholders`: values for {{phone}} and the like. Only their text is used, without links. */
  json<Schema extends z.ZodMiniType>(
    file: string,
    schema: Schema,
    placeholders?: ReadonlyMap<string, Inline>,
  ): z.output<Schema> | undefined {
    const fill = (text: string) =>
      text.replace(/\{\{([^{}]*)\}\}/g, (placeholder, name: string) => {
        const value = placeholders?.get(name);
        if (value !== undefined) return inlineText([value]);
        this.errors.push(`${file}: there is no placeholder ${placeholder}`);
        return placeholder;
      });
    const read = (_: string, part: unknown) =>
      placeholders && typeof part === 'string' ? fill(part) : part;
    return this.#readText(file, (text) => this.#check(file, schema, JSON.parse(text, read)));
  }

  /** The sorted names of a folder's Markdown files, without extension, each part of a URL. */
  slugs(folder: string, pattern = SLUG): string[] {
    const files = this.#read(folder, () => readdirSync(join(this.#folder, folder))) ?? [];
    const names = files.filter((file) => file.endsWith('.md')).map((file) => file.slice(0, -3));
    for (const name of names) {
      if (!pattern.test(name))
        this.errors.push(
          `${folder}/${name}.md: a file name is a-z, 0-9 and single hyphens, for it is the address`,
        );
    }
    return names.toSorted();
  }

  /** A Markdown file with YAML front matter between lines of `---`, and its `placeholders`. */
  markdown<Schema extends z.ZodMiniType>(
    file: string,
    schema: Schema,
    placeholders: ReadonlyMap<string, Inline>,
  ): { matter: z.output<Schema>; body: RichText; text: string } | undefined {
    return this.#readText(file, (source) => {
      const [, head, yaml, markdown] = /^(---\n(.*?)\n---\n)(.*)$/s.exec(source) ?? [];
      if (head === undefined || yaml === undefined || markdown === undefined) {
        this.errors.push(`${file}: expected front matter between two lines of ---`);
        return undefined;
      }
      if (yaml.includes('{{')) this.errors.push(`${file}: placeholders stand in the text only`);
      const matter = this.#check(file, schema, loadYaml(yaml));
      // Blank lines replace the front matter, so that errors name the right line of the file.
      const body = readMarkdown(head.replace(/[^\n]+/g, '') + markdown, {
        placeholders,
        reportError: (what) => this.errors.push(`${file}: ${what}`),
      });
      const text = markdown.replace(/\{\{([^{}]*)\}\}/g, (placeholder, name: string) =>
        inlineText([placeholders.get(name) ?? placeholder]),
      );
      return matter === undefined ? undefined : { matter, body, text };
    });
  }

  /** After `pictures`: reports a local one that the site does not serve. Remote ones may be. */
  checkPicture(where: string, image: string): void {
    if (URL.parse(image)?.protocol === 'https:') return;
    if (!this.#pictures.has(image))
      this.errors.push(
        `${where}: there is no file ${image} under content/ (upper and lower case count; the site serves ${PICTURE_TYPES})`,
      );
  }

  /** The pictures that the site serves: { name: 'team/anna.jpg', type: 'image/jpeg', … }, … */
  pictures(): PictureFile[] {
    const listed = this.#read('pictures', () => listPictures(join(this.#folder, 'pictures'))) ?? [];
    this.#pictures = new Set(listed.map(({ name }) => `/pictures/${name}`));
    return listed.flatMap(({ name, type }) => {
      const file = `pictures/${name}`;
      const identity = this.#read(file, () => readFileSync(join(this.#folder, file)));
      return identity ? [{ name, type, identity }] : [];
    });
  }

  /** To be called when everything has been read. Throws a CannotStart that lists all errors. */
  finish(): void {
    if (this.errors.length > 0) throw new CannotStart('The content is not valid:', this.errors);
  }

  #readText<Result>(file: string, use: (text: string) => Result): Result | undefined {
    return this.#read(file, () => use(decode(readFileSync(join(this.#folder, file)))));
  }

  #read<Result>(file: string, read: () => Result): Result | undefined {
    try {
      return read();
    } catch (error) {
      this.errors.push(`${file}: ${reason(error)}`);
      return undefined;
    }
  }

  #check<Schema extends z.ZodMiniType>(file: string, schema: Schema, value: unknown) {
    const result = schema.safeParse(value, ZOD_MESSAGES);
    if (result.success) return result.data;
    for (const issue of result.error.issues) {
      this.errors.push(
        `${file}: ${z.core.toDotPath(issue.path) || 'the whole file'}: ${issue.message}`,
      );
    }
    return undefined;
  }
}
