import { expect, test } from 'vitest';
import { emailHtml } from '../../src/notifications/render-email.server.tsx';
import { violations } from '../support/axe.ts';
import { SCREENS, sharedBrowser } from '../support/browser.ts';
import { customerMails } from './customer-mails.ts';

const browser = sharedBrowser();

test('a customer can read every email in light and dark colors, and where backgrounds are dropped', async () => {
  const page = await browser.open({ ...SCREENS[1], width: 360 });
  // In one document, because a run of axe takes as long for one mail as for thirty.
  const mails = Object.entries(await customerMails()).map(([name, email]) =>
    emailHtml(email).replace('<body', `<body id="${name}"`),
  );
  const shown = mails.join('').replaceAll(/<(\/?)body/g, '<$1section');
  const without = shown.replaceAll(/background-color:[^;"]+/g, '');
  const pale: string[] = [];
  for (const [colorScheme, html] of [
    ['light', shown],
    ['dark', shown],
    ['light', without],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setContent(html);
    const wide = await page.evaluate(() =>
      [...document.querySelectorAll('section')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ id }) => `${id} is wider than its screen`),
    );
    pale.push(...wide);
    for (const { nodes } of await violations(page, ['color-contrast']))
      pale.push(...nodes.map(({ target, html }) => `${target} in ${colorScheme}: ${html}`));
  }
  expect(pale).toEqual([]);
});
