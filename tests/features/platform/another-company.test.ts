/** Another company is content alone: nothing of the old one is left. */
import { beforeAll, describe, expect, test } from 'vitest';
import { STAFF_PATHS } from '../../../src/routes.ts';
import { anotherCompany, wordsOfOurCompany } from '../../support/another-company.ts';
import { SAMPLE_MESSAGE, SAMPLE_ORDER } from '../../support/call-row.ts';
import { notifiedSite } from '../../support/notified-site.ts';
import { readHtml } from '../../support/page-html.ts';
import { sendRaw } from '../../support/raw-request.ts';

const folder = anotherCompany();
const ours = wordsOfOurCompany(folder);

const FILES = [
  ...['/sitemap.xml', '/robots.txt', '/news/rss.xml', '/site.webmanifest'],
  ...['/.well-known/security.txt', '/pictures/logo.svg', '/pictures/favicon.svg'],
  ...['/api/openapi.json', '/api/services', '/api/solutions', '/api/plans'],
];
const OTHER_PAGES = [
  ...['/checkout', '/checkout?plan=72&microsoft365=office_2&ms365_users=9&cloud_backup=true'],
  ...['/checkout/order', ...STAFF_PATHS],
];

/** The words of our company in a text. */
function traces(text: string): string[] {
  const plain = text
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    // A heading of the specification, and a type of schema.org.
    .replaceAll(/Professional ?Service/g, '');
  return ours.filter((words) => plain.includes(words));
}

describe('a site with another company’s content', () => {
  const site = notifiedSite('all tests', {}, folder);
  const get = async (path: string) => (await site.app.visitor().get(path)).text;
  const pages: string[] = [];
  beforeAll(async () => {
    const urls = [...(await get('/sitemap.xml')).matchAll(/<loc>(.*?)<\/loc>/g)];
    pages.push(...urls.map(([, url = '']) => new URL(url).pathname), ...OTHER_PAGES);
  });

  test('has none of the old company’s words in any page, file or list', async () => {
    expect(ours.length).toBeGreaterThan(1_000);
    for (const path of [...pages, ...FILES, '/nowhere'])
      expect([path, traces(await get(path))]).toEqual([path, []]);
  });

  test.each([
    ['/services.html', '/#services'],
    ['/Services.HTML/?utm_source=card&a=1', '/?utm_source=card&a=1#services'],
    ['/services%2Ehtml', '/#services'],
  ])('leads from %s, of its former site, to %s', async (from, to) => {
    const { status, headers } = await sendRaw(
      site.app.address,
      `GET ${from} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect([status, headers.get('location')]).toEqual([301, to]);
  });

  test('shows customers where to get help, and search engines whose site it is', async () => {
    const { links } = readHtml(await get('/news'));
    const labels = ['Client Portal', 'Remote Support', 'Book a Call'];
    // In the navbar, the menu for small screens, and the footer.
    for (const host of ['portal', 'help', 'book'])
      expect(links.filter(({ href }) => href === `https://${host}.corvane.example/`)).toHaveLength(
        3,
      );
    const html = await get('/');
    for (const label of labels) expect(html).toContain(label);
    expect(html).toContain('<meta name="google-site-verification" content="corvane-google"/>');
    expect(html).toContain('<meta name="msvalidate.01" content="C0RVANE"/>');
  });

  test('sells its own licenses, and is asked about its own services', async () => {
    const visitor = site.app.visitor();
    const home = await get('/');
    for (const words of ['Wi-Fi between the vines', 'Office with a mailbox'])
      expect(home).toContain(words);
    expect(await get('/checkout?plan=72')).toContain('Office with a mailbox');
    const asked = (service: string) =>
      visitor.post('/api/contact', { ...SAMPLE_MESSAGE, service, name: service });
    const { status, json } = await asked('managed-it');
    expect([status, json.errors]).toEqual([
      400,
      [{ path: 'service', message: 'Please select a service from the list' }],
    ]);
    expect((await asked('phones')).status).toBe(200);
    const staff = await site.app.staff();
    const listed = (await staff.get('/api/admin/contacts?service=phones&page=1')).json;
    expect(listed).toMatchObject([{ name: 'phones', service: 'phones' }]);
    expect((await staff.get('/api/admin/messages/download')).text).toContain('Desk phones');
    const order = { ...SAMPLE_ORDER, planId: 71, ms365Users: 2, includeCloudBackup: false };
    const sold = (ms365Option: string) =>
      visitor.post('/api/create-payment-intent', { ...order, ms365Option, amount: 310 + 2 * 6 });
    const { json: refused } = await sold('e3');
    expect(refused.errors).toMatchObject([{ path: 'ms365Option' }]);
    expect((await sold('mailbox')).status).toBe(200);
  });

  test('sends mails and cards without the old company’s words', async () => {
    const { app, mailbox, teams } = site;
    const visitor = app.visitor();
    const email = 'rosalind@achterberg.example';
    await visitor.post('/api/contact', { ...SAMPLE_MESSAGE, service: 'vineyard-wifi', email });
    const chat = { message: 'Are you there?', name: 'Rosalind Achterberg', email };
    const { response } = (await visitor.post('/api/teams-chat', chat)).json;
    expect(response).toContain('Got it, Rosalind Achterberg.');
    const choice = { planId: 71, ms365Option: 'office_2', ms365Users: 6, includeCloudBackup: true };
    const quote = { ...choice, name: 'Rosalind', email, company: '', note: '' };
    const { url } = (await visitor.post('/api/quotes', quote)).json;
    const order = { ...SAMPLE_ORDER, ...choice, email, amount: 310 + 6 * (23 + 5) };
    const { clientSecret } = (await visitor.post('/api/create-payment-intent', order)).json;
    await visitor.post('/api/test-payments/confirm', { clientSecret, token: 'succeeds' });
    await visitor.post('/api/order-page/links', { email });
    await visitor.post('/api/safeguards-report', { email, answers: { named: 'no' } });
    await site.allAccepted();
    const subjects = mailbox.to(email).map(({ subject }) => subject);
    expect(subjects.length).toBeGreaterThan(4);
    const mails = mailbox.mails.map(({ subject, text, html }) => `${subject} ${text} ${html}`);
    const cards = teams.accepted.map(({ card }) => JSON.stringify(card));
    const shown = [response, await get(new URL(url).pathname)];
    for (const text of [...mails, ...cards, ...shown]) expect(traces(text)).toEqual([]);
  });
});
