import type { ContentReader } from '../platform/config/content-file.server.ts';
import { type Inline, inlineText } from '../platform/rich-text.ts';
import { SHEET_NAMES, type Sheet, sheetSchema } from './sheet.ts';

/** Reads content/trust. `placeholders`: what {{phone}} and its like stand for, of which the words alone are taken. */
export function readSheets(
  reader: ContentReader,
  placeholders: ReadonlyMap<string, Inline>,
): Sheet[] {
  return SHEET_NAMES.flatMap((name): Sheet[] => {
    const file = `trust/${name}.json`;
    const read = reader.json(file, sheetSchema);
    if (!read) return [];
    const fault = (what: string) => reader.faults.push(`${file}: ${what}`);
    for (const [at, { blocks }] of read.sections.entries()) {
      for (const block of blocks) {
        const short =
          block.kind === 'table' && block.rows.some((row) => row.length !== block.columns.length);
        if (short) fault(`sections[${at}]: a row has more or fewer cells than there are columns`);
      }
    }
    const fill = (text: string) =>
      text.replace(/\{\{(.*?)\}\}/g, (whole, placeholder: string) => {
        const value = placeholders.get(placeholder);
        if (value === undefined) fault(`there is no placeholder ${whole}`);
        return value === undefined ? whole : inlineText([value]);
      });
    return [{ ...filled(read, fill), name }];
  });
}

/** The same with every text filled. */
function filled<Value>(value: Value, fill: (text: string) => string): Value {
  // Its shape stays, and a text stays a text.
  return JSON.parse(JSON.stringify(value), (_, part) =>
    typeof part === 'string' ? fill(part) : part,
  );
}
