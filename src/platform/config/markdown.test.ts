import { describe, expect, test } from 'vitest';
import type { Inline } from '../rich-text.ts';
import { readMarkdown } from './markdown.server.ts';

function read(markdown: string) {
  const errors: string[] = [];
  const placeholders = new Map<string, Inline>([
    ['name', 'Tidewell'],
    ['email', { kind: 'link', href: 'mailto:a@b.example', content: ['a@b.example'] }],
  ]);
  const text = readMarkdown(markdown, { placeholders, reportError: (what) => errors.push(what) });
  return { text, errors };
}

describe('Markdown of content/', () => {
  test('becomes a tree of blocks', () => {
    const { text, errors } = read(`Words *softly* and **loudly**, \`code\`,
wrapped.

- one
- two, [on][news]

3. third

> quoted

    ls -l

[news]: /news`);
    expect(errors).toEqual([]);
    expect(text).toEqual([
      {
        kind: 'paragraph',
        content: [
          'Words ',
          { kind: 'emphasis', content: ['softly'] },
          ' and ',
          { kind: 'strong', content: ['loudly'] },
          ', ',
          { kind: 'code', text: 'code' },
          ', wrapped.',
        ],
      },
      {
        kind: 'list',
        ordered: false,
        start: 1,
        items: [
          [{ kind: 'paragraph', content: ['one'] }],
          [
            {
              kind: 'paragraph',
              content: ['two, ', { kind: 'link', href: '/news', content: ['on'] }],
            },
          ],
        ],
      },
      {
        kind: 'list',
        ordered: true,
        start: 3,
        items: [[{ kind: 'paragraph', content: ['third'] }]],
      },
      { kind: 'quote', content: [{ kind: 'paragraph', content: ['quoted'] }] },
      { kind: 'code', text: 'ls -l' },
    ]);
  });

  test('gives each heading a unique id made of its words', () => {
    const { text } = read(
      '## How long *we [keep](/news)* it\n\n### `Get-It` & more\n\n## Contact\n\n## Contact\n\n## …',
    );
    expect(text.map((block) => block.kind === 'heading' && [block.level, block.id])).toEqual([
      [2, 'how-long-we-keep-it'],
      [3, 'get-it-more'],
      [2, 'contact'],
      [2, 'contact-2'],
      [2, 'section'],
    ]);
  });

  test('replaces placeholders by words and links, but not in code', () => {
    const { text, errors } = read(
      '{{name}}: {{ email }}, `{{name}}`, [write to {{email}}](mailto:x@y.example)',
    );
    expect(errors).toEqual([]);
    expect(text).toEqual([
      {
        kind: 'paragraph',
        content: [
          'Tidewell',
          ': ',
          { kind: 'link', href: 'mailto:a@b.example', content: ['a@b.example'] },
          ', ',
          { kind: 'code', text: '{{name}}' },
          ', ',
          { kind: 'link', href: 'mailto:x@y.example', content: ['write to ', 'a@b.example'] },
        ],
      },
    ]);
  });

  test('becomes a table, with the alignment of its columns', () => {
    const { text, errors } = read(
      'Prices:\n\n| Plan | *Per* month |\n|------|-----------:|\n| A \\| B | `$450` |\n| C |',
    );
    expect(errors).toEqual([]);
    expect(text[1]).toEqual({
      kind: 'table',
      columns: ['left', 'right'],
      rows: [
        [['Plan'], [{ kind: 'emphasis', content: ['Per'] }, ' month']],
        [['A | B'], [{ kind: 'code', text: '$450' }]],
        [['C'], []],
      ],
    });
  });

  test.each([
    ['~~old~~ new', 'line 1: struck-out text cannot stand here'],
    ['<script>alert(1)</script>', 'line 1: raw HTML cannot stand here'],
    ['a\n\n---\n\nb', 'line 3: a rule cannot stand here'],
    ['two  \nlines', 'line 1: a forced line break cannot stand here'],
    ['# Title', 'line 1: the title is the only heading with one #'],
    ['## A\n\n#### B', 'line 3: a heading with 4 # has no parent'],
    ['{{name}}\n{{nobody}} knows\nmore', 'line 1: there is no placeholder {{nobody}}'],
    [
      '- one\n- [two](http://plain.example)',
      'line 2: http://plain.example is not an address that a link may have',
    ],
    [
      '[x](javascript:alert(1))',
      'line 1: javascript:alert(1) is not an address that a link may have',
    ],
    ['', 'there is no text'],
  ])('reports an error for %j', (markdown, error) => {
    expect(read(markdown).errors).toContainEqual(expect.stringContaining(error));
  });
});
