import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { line } from '../../tests/support/saved-order.ts';
import { priceOf } from '../catalogue/pricing.ts';
import { cents } from '../platform/money.ts';
import { emailText } from './email-text.server.ts';
import { type Email, LOGO_IDS } from './notification.server.ts';
import { emailHtml } from './render-email.server.tsx';

const HOSTILE = '"><img src="https://evil.example/x.png"><style>p{}';

const email: Email = {
  to: 'jane@dealer.example',
  replyTo: { name: '', address: '' },
  isAutomatic: true,
  subject: `Subject ${HOSTILE}`,
  wordmark: 'Tidewell',
  heading: `Heading ${HOSTILE}`,
  parts: [
    `Paragraph ${HOSTILE}`,
    { kind: 'warning', text: `Warning ${HOSTILE}` },
    { kind: 'facts', facts: [[`Label ${HOSTILE}`, `Value ${HOSTILE}`]] },
    { kind: 'quote', text: `Quote ${HOSTILE}` },
    {
      kind: 'prices',
      price: priceOf([{ ...line('plan', 85_000), label: `Plan ${HOSTILE}` }], cents(60_60)),
    },
    { kind: 'link', label: `Button ${HOSTILE}`, url: 'https://www.tidewell.example/order#a&b' },
  ],
  footer: [`Footer ${HOSTILE}`],
};

/** What a person types, and how it is read in a program that knows no CSS. */
const TYPED: [what: string, typed: string, read: string][] = [
  ['twelve lines', Array.from('abcdefghijkl').join('\n'), Array.from('abcdefghijkl').join('\n')],
  ['lines of Windows and of old Macs', 'a\r\nb\rc', 'a\nb\nc'],
  ['breaks from Word and the web', 'a\vb\u2028c\u2029d\u0085e\ff', 'a\nb\nc\nd\ne\nf'],
  ['blank lines', 'a\n\n\nb\r\n\r\nc', 'a\n\n\nb\n\nc'],
  ['an indented list', 'To do:\n  - phones\n\t- mail', 'To do:\n  - phones\n    - mail'],
  ['columns of blanks', 'a    b\nc   d', 'a    b\nc   d'],
];

/** Without what only a list of mails shows. */
const openedHtml = (email: Email) =>
  emailHtml(email).replace(/<div style="mso-hide.*?<\/div>/s, '');

/** The words of HTML without its styles: only `<br>` ends a line, and blanks in a row are one. */
function wordsOf(html: string): string {
  return html
    .replace(/<style>.*?<\/style>/s, '')
    .replace(/[ \t\r\n\v\f\u0085\u2028\u2029]+/g, ' ')
    .replace(/<br\/?>/g, '\n')
    .replace(/<[^>]*>/g, '|')
    .replaceAll('\u00a0', ' ');
}

describe('typed text in an email', () => {
  const PARTS: [where: string, part: (text: string) => Email['parts'][number]][] = [
    ['an answer', (text) => text],
    ['a visitor’s message', (text) => ({ kind: 'quote', text })],
    ['the message that is answered', (text) => ({ kind: 'quote', from: 'You wrote:', text })],
    ['a warning', (text) => ({ kind: 'warning', text })],
    ['a fact', (text) => ({ kind: 'facts', facts: [['Note', text]] })],
  ];
  test.each(
    PARTS.flatMap(([where, part]) =>
      TYPED.map(([what, typed, read]) => [where, what, part(typed), read] as const),
    ),
  )('keeps in %s %s, also where CSS is dropped', (_where, _what, part, read) => {
    const html = emailHtml({ ...email, parts: [part] });
    expect(wordsOf(html)).toContain(`|${read}|`);
    const text = emailText({ ...email, parts: [part] }).replaceAll('\t', '    ');
    const unquoted = text.replace(/^(> |! |Note: {2}| {7})/gm, '');
    expect(unquoted).toContain(`\n${read}\n`);
    expect(text).not.toMatch(/[\r\v\f\u0085\u2028\u2029]/);
  });
});

describe('an email', () => {
  test('says the same as text and as HTML', () => {
    const said =
      /Heading|Paragraph|Warning|Label|Value|Quote|Plan|Button|Footer|\$\d+\.\d+|Sales tax|Monthly total/g;
    const words = emailText(email).match(said);
    expect(words).toHaveLength(14);
    // As text, an amount precedes its name.
    expect(
      openedHtml({ ...email, subject: '' })
        .match(said)
        ?.sort(),
    ).toEqual(words?.sort());
  });

  test('names the company in letters, where there is no logo or pictures are off', () => {
    expect(wordsOf(emailHtml(email))).toContain('|Tidewell|');
    const logos = LOGO_IDS.map((id) => ({ id, png: readFileSync(`content/pictures/${id}.png`) }));
    const html = emailHtml({ ...email, logos });
    expect(html.match(/<img [^>]*width="131" height="32" alt="Tidewell"/g)).toHaveLength(2);
  });

  test('shows what a visitor wrote as words only, and fetches nothing', () => {
    const html = openedHtml(email);
    expect(html).not.toMatch(/<(img|link|script|iframe)|url\(/i);
    expect(html.match(/<style>/g)).toHaveLength(1);
    expect(html.match(/&quot;&gt;&lt;img src=&quot;/g)).toHaveLength(10);
  });
});
