import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Checks how many sheets the page prints on, as Letter and as A4, with ordinary margins. */
export async function expectPrintedPages(
  page: Page,
  pages: number,
  what = page.url(),
): Promise<void> {
  const margin = { top: '10mm', right: '10mm', bottom: '10mm', left: '10mm' };
  for (const format of ['Letter', 'A4']) {
    const pdf = (await page.pdf({ format, margin })).toString('latin1');
    const printed = pdf.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    expect({ what, format, pages: printed }).toEqual({ what, format, pages });
  }
}
