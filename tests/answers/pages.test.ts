/** What a page carries for its script is shown, or the page stays as it was sent. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Block, Inline } from '../../src/platform/rich-text.ts';
import type { Block as SheetBlock } from '../../src/trust/sheet.ts';
import { SCREENS, useBrowser } from '../support/browser.ts';
import { pageDataIn } from '../support/page-html.ts';
import { startTestApp, type TestApp } from '../support/test-app.ts';
import { startAgain } from './asks.ts';
import { feed } from './feed.ts';
import { HOME, type Screen } from './screens.ts';

const [DESK] = SCREENS;
/** What the server has drawn is of the data as it should be. */
const expectComplaints = /Failed to load resource|Minified React error #418/;
const questions = JSON.parse(readFileSync('content/catalogue/questions.json', 'utf8'));

interface Page extends Pick<Screen, 'stays' | 'from' | 'besides'> {
  path: string;
  /** What the page carries, where no address has such a page. */
  content?: unknown;
  rest?: string;
}

const SECOND: Block = { kind: 'paragraph', content: ['The second paragraph'] };
const LINK: Inline = { kind: 'link', href: '/news', content: ['News'] };
const KINDS_OF_TEXT: readonly Block[] = [
  { kind: 'heading', level: 2, id: 'first', content: [{ kind: 'strong', content: [LINK] }] },
  { kind: 'list', ordered: true, start: 3, items: [[SECOND]] },
  { kind: 'quote', content: [{ kind: 'paragraph', content: [{ kind: 'code', text: 'ls' }] }] },
  { kind: 'code', text: 'ls -l' },
];
const VALUES = { name: 'Dana', email: '', phone: '', service: 'voip', message: 'No Wi-Fi.' };
const {
  scope,
  elements,
  questions: asked,
} = JSON.parse(readFileSync('content/safeguards/check.json', 'utf8'));
const CHECK = {
  check: { scope, elements: elements.slice(0, 2), questions: asked.slice(0, 3) },
  plans: [{ id: 3, name: 'Enterprise' }],
  mailed: true,
};
const KINDS_OF_BLOCK: readonly SheetBlock[] = [
  { kind: 'list', items: ['One', 'Two'] },
  { kind: 'facts', rows: [['Office', 'Marietta']] },
  { kind: 'figures', figures: [{ value: '46', label: 'tickets', note: 'in April' }] },
  { kind: 'table', caption: 'Risks', columns: ['Risk', 'Due'], rows: [['Old firewall', 'May']] },
  { kind: 'links', links: [{ label: 'Terms', href: '/terms-of-service' }] },
];
const SHEET = {
  name: 'trust',
  title: 'A sheet',
  description: 'A sheet',
  lead: 'Lead',
  sample: null,
};
const PAGES: readonly Page[] = [
  { path: '/', stays: HOME.stays, besides: HOME.calls, rest: questions[1].question },
  { path: '/news', stays: ['News & Updates'] },
  { path: '/news/ftc-safeguards-rule', stays: ['Back to News', 'Sources', 'Contact Us'] },
  { path: '/privacy-policy', stays: ['Last Updated'] },
  ...KINDS_OF_TEXT.map((block) => ({
    path: `/legal/${block.kind}`,
    stays: ['Last Updated'] as const,
    content: { title: 'A text', updated: '2026-05-13', body: [block, SECOND] },
    rest: 'The second paragraph',
  })),
  {
    path: '/safeguards/short',
    stays: ['This is a self-check, not legal advice', 'See the result'],
    content: CHECK,
  },
  ...KINDS_OF_BLOCK.map((block) => ({
    path: `/sheet/${block.kind}`,
    stays: ['As of', 'Print'] as const,
    content: {
      ...SHEET,
      updated: '2026-05-13',
      numbered: true,
      sections: [
        { id: 'one', heading: 'First', blocks: [block, { kind: 'text', text: 'The second part' }] },
      ],
    },
    rest: 'The second part',
  })),
  { path: '/resources/', stays: ['Articles by topic', 'How to reach support'], from: '/news' },
  { path: '/contact/sent', stays: ['Back to Home'], content: { reference: 'C-41' } },
  { path: '/contact/refused', stays: ['Your message wasn’t sent'], content: { refused: 'Busy' } },
  {
    path: '/contact/returned',
    stays: ['Send us a Message', 'Send Message'],
    content: { returned: { values: VALUES, faults: { email: 'Missing' }, problem: null } },
  },
];

describe('whatever a page carries', () => {
  const browser = useBrowser();
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  test.each(PAGES)('$path is shown or loaded', async ({ path, content, rest, ...page }) => {
    const sent = pageDataIn((await app.visitor().get(content ? '/resources/' : path)).text);
    const name = path.split('/')[1];
    const view = content
      ? { name, path: '/made-up', title: 'Made up', description: '', content }
      : sent.view;
    // One picture stands for all.
    const pictures = Object.fromEntries(Object.entries(sent.site.pictures).slice(0, 1));
    const answer = { site: { ...sent.site, pictures }, view };
    const call = { url: /#page-data/, answer, not: /^site\./, ...(rest && { rest }) };
    const at = content ? '/resources/' : path;
    const screen: Screen = { ...page, name: path, path: at, refuses: true, calls: [call] };
    const tab = await browser.open(DESK, { expectComplaints });
    expect(await feed(tab, screen, () => startAgain(tab, app.address, screen))).toEqual([]);
  });
});
