/** Reads files of content/ against their schemas; what is wrong is told with file and field. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseYaml } from 'yaml';
import * as z from 'zod/mini';

export class InvalidContent extends Error {
  constructor(faults: readonly string[]) {
    super(`The content is not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`);
    this.name = 'InvalidContent';
  }
}

/** Reads one content folder and gathers the faults of all its files, so that they are told together. */
export class ContentReader {
  readonly faults: string[] = [];
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  json<Schema extends z.ZodMiniType>(file: string, schema: Schema): z.output<Schema> | undefined {
    return this.#read(file, (text) => this.#check(file, schema, JSON.parse(text)));
  }

  /** A Markdown file with YAML front matter between two lines of three dashes. */
  markdown<Schema extends z.ZodMiniType>(
    file: string,
    schema: Schema,
  ): { matter: z.output<Schema>; body: string } | undefined {
    return this.#read(file, (text) => {
      const [, yaml, body] = /^---\n(.*?)\n---\n(.*)$/s.exec(text.replace(/\r\n/g, '\n')) ?? [];
      if (yaml === undefined || body === undefined) {
        this.faults.push(`${file}: expected front matter between two lines of ---`);
        return undefined;
      }
      const matter = this.#check(file, schema, parseYaml(yaml));
      return matter === undefined ? undefined : { matter, body };
    });
  }

  /** Call it when everything has been read; throws an InvalidContent when anything was wrong. */
  finish(): void {
    if (this.faults.length > 0) throw new InvalidContent(this.faults);
  }

  #read<Result>(file: string, use: (text: string) => Result): Result | undefined {
    try {
      return use(readFileSync(join(this.#folder, file), 'utf8'));
    } catch (error) {
      this.faults.push(`${file}: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    }
  }

  #check<Schema extends z.ZodMiniType>(file: string, schema: Schema, value: unknown) {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    for (const issue of result.error.issues) {
      this.faults.push(
        `${file}: ${z.core.toDotPath(issue.path) || 'the whole file'}: ${issue.message}`,
      );
    }
    return undefined;
  }
}
