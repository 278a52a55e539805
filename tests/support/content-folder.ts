/** A copy of content/ for each test, which may edit its files. */
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect } from 'vitest';
import { temporaryFolder } from './temporary-folder.ts';

/** A copy of content/ with some of its JSON files changed. */
export function contentWith(changes: Record<string, (content: never) => unknown>): string {
  const folder = temporaryFolder();
  cpSync('content', folder, { recursive: true, filter: (path) => path !== 'content/pictures' });
  symlinkSync(join(process.cwd(), 'content/pictures'), join(folder, 'pictures'));
  for (const [file, change] of Object.entries(changes)) {
    const path = join(folder, file);
    writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')) as never)));
  }
  return folder;
}

export type Row = Record<string, unknown>;

export function ownContentFolder() {
  let folder: string;
  beforeEach(() => {
    folder = contentWith({});
  });
  const path = (file: string) => join(folder, file);
  return {
    folder: () => folder,
    path,
    /** Changes one row of a JSON list. */
    changeRow(file: string, index: number, change: Row) {
      const rows: Row[] = JSON.parse(readFileSync(path(file), 'utf8'));
      const changed = rows.map((row, i) => (i === index ? { ...row, ...change } : row));
      writeFileSync(path(file), JSON.stringify(changed));
    },
    /** Replaces the first occurrence of `words`, which must exist. */
    edit(file: string, words: string, others: string) {
      const text = readFileSync(path(file), 'utf8');
      expect(text).toContain(words);
      writeFileSync(path(file), text.replace(words, others));
    },
  };
}
