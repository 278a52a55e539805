/** A copy of content/ for each test, which may edit its files. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';

export type Row = Record<string, unknown>;

export function ownContentFolder() {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'site-content-'));
    cpSync('content', folder, { recursive: true, filter: (path) => path !== 'content/pictures' });
    symlinkSync(join(process.cwd(), 'content/pictures'), join(folder, 'pictures'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));
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
