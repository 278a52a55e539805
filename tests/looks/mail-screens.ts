/** Every kind of email to a customer: at 600 px, on a dark phone, and as text. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { emailText } from '../../src/notifications/email-text.server.ts';
import { LOGO_IDS } from '../../src/notifications/notification.server.ts';
import { emailHtml } from '../../src/notifications/render-email.server.tsx';
import { customerMails } from './customer-mails.ts';
import type { ScreenState } from './screen-state.ts';

export async function mailScreens(): Promise<ScreenState[]> {
  const mails = Object.entries(await customerMails());
  return mails.map(([name, email]) => ({
    name: `mail-${name}`,
    path: '/mail',
    widths: [1280],
    before: (page) => page.route('**/mail', (route) => route.fulfill({ body: SHEET, ...HTML })),
    act: (page) =>
      showMail(page, {
        html: fixed(emailHtml({ ...email, logos: LOGOS })),
        text: fixed(emailText(email)),
      }),
  }));
}

const LOGOS = LOGO_IDS.map((id) => ({ id, png: readFileSync(`content/pictures/${id}.png`) }));

/** Numbers and links are others each time. */
function fixed(mail: string): string {
  return mail
    .replace(/cid:([\w-]+)/g, (_, name) => {
      const { png } = LOGOS.find(({ id }) => id === name) ?? {};
      return `data:image/png;base64,${png?.toString('base64')}`;
    })
    .replace(/(?<=[OQ]-)[\d ]+\d/g, '217 981 339')
    .replace(/(?<=order#|quote\/|access\/)[\w.-]+/g, '…');
}

const HTML = { contentType: 'text/html; charset=utf-8' };
const SHEET = `<!doctype html><title>Mail</title><style>
body{margin:0;display:flex;align-items:start;background:#e8e8e8}
iframe{border:0;flex:none;background:#fff}
pre{flex:1;min-width:0;margin:0;padding:16px;font:11px/1.4 monospace;white-space:pre-wrap;overflow-wrap:anywhere}
</style><iframe width="600"></iframe><iframe width="360"></iframe><pre></pre>`;

async function showMail(page: Page, mail: { html: string; text: string }): Promise<void> {
  await page.evaluate(async ({ html, text }) => {
    for (const [at, frame] of document.querySelectorAll('iframe').entries()) {
      // The second one is dark whatever the browser's theme.
      frame.srcdoc = at === 0 ? html : html.replace('(prefers-color-scheme:dark)', 'all');
      await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
      frame.height = `${frame.contentDocument?.documentElement.scrollHeight}`;
    }
    for (const pre of document.querySelectorAll('pre')) pre.textContent = text;
  }, mail);
}
