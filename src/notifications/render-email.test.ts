import { describe, expect, test } from 'vitest';
import { line } from '../../tests/support/saved-order.ts';
import { cents } from '../platform/money.ts';
import type { Email } from './notification.server.ts';
import { emailHtml, emailText } from './render-email.server.tsx';

const HOSTILE = '"><img src="https://evil.example/x.png"><style>p{}';

const email: Email = {
  to: 'jane@dealer.example',
  replyTo: { name: '', address: '' },
  isAutomatic: true,
  subject: `Subject ${HOSTILE}`,
  heading: `Heading ${HOSTILE}`,
  parts: [
    `Paragraph ${HOSTILE}`,
    { kind: 'warning', text: `Warning ${HOSTILE}` },
    { kind: 'facts', facts: [[`Label ${HOSTILE}`, `Value ${HOSTILE}`]] },
    { kind: 'quote', text: `Quote ${HOSTILE}` },
    {
      kind: 'prices',
      lines: [{ ...line('plan', 85_000), label: `Plan ${HOSTILE}` }],
      tax: cents(60_60),
      total: cents(910_60),
    },
    { kind: 'link', label: `Button ${HOSTILE}`, url: 'https://www.tidewell.example/order#a&b' },
  ],
  footer: [`Footer ${HOSTILE}`],
};

describe('an email', () => {
  test('says the same as text and as HTML', () => {
    const said =
      /Heading|Paragraph|Warning|Label|Value|Quote|Plan|Button|Footer|\$\d+\.\d+|Sales tax|Total per month/g;
    const words = emailText(email).match(said);
    expect(words).toHaveLength(14);
    expect(emailHtml({ ...email, subject: '' }).match(said)).toEqual(words);
  });

  test('shows what a visitor wrote as words only, and fetches nothing', () => {
    const html = emailHtml(email);
    expect(html).not.toMatch(/<(img|link|script|iframe)|url\(/i);
    expect(html.match(/<style>/g)).toHaveLength(1);
    expect(html.match(/&quot;&gt;&lt;img src=&quot;/g)).toHaveLength(10);
  });
});
