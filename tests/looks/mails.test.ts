import { expect, test } from 'vitest';
import { emailHtml } from '../../src/notifications/render-email.server.tsx';
import { violations } from '../support/axe.ts';
import { SCREENS, sharedBrowser } from '../support/browser.ts';
import { customerMails } from './customer-mails.ts';

const browser = sharedBrowser();

test('a customer can read every email in light and dark colors, and where backgrounds are dropped', async () => {
  const page = await browser.open({ ...SCREENS[1], width: 360 });
  const pale: string[] = [];
  for (const [name, email] of Object.entries(await customerMails())) {
    const html = emailHtml(email);
    const without = html.replace(/background-color:[^;"]+/g, '');
    for (const [colorScheme, shown] of [
      ['light', html],
      ['dark', html],
      ['light', without],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setContent(shown);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      if (wide) pale.push(`${name} is wider than its screen`);
      for (const { nodes } of await violations(page, ['color-contrast']))
        pale.push(...nodes.map((node) => `${name} in ${colorScheme}: ${node.html}`));
    }
  }
  expect(pale).toEqual([]);
});
