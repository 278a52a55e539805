/** Text as markup for other programs: XML of the sitemap and feeds, HTML of the articles inside of the feeds. */
import type { Block, Inline, RichText } from '../platform/rich-text.ts';

export function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** `page` is the full address of the page that the text stands on, for its links. */
export function toHtml(text: RichText, page: string): string {
  return text.map((block) => blockHtml(block, page)).join('\n');
}

function blockHtml(block: Block, page: string): string {
  switch (block.kind) {
    case 'heading':
      return `<h${block.level}>${inlineHtml(block.content, page)}</h${block.level}>`;
    case 'paragraph':
      return `<p>${inlineHtml(block.content, page)}</p>`;
    case 'list': {
      const tag = block.ordered ? 'ol' : 'ul';
      const start = block.ordered && block.start !== 1 ? ` start="${block.start}"` : '';
      const items = block.items.map((item) => `<li>${toHtml(item, page)}</li>`).join('\n');
      return `<${tag}${start}>\n${items}\n</${tag}>`;
    }
    case 'quote':
      return `<blockquote>${toHtml(block.content, page)}</blockquote>`;
    case 'code':
      return `<pre><code>${escapeMarkup(block.text)}</code></pre>`;
  }
}

const TAGS = { emphasis: 'em', strong: 'strong' };

function inlineHtml(content: readonly Inline[], page: string): string {
  return content
    .map((part) => {
      if (typeof part === 'string') return escapeMarkup(part);
      if (part.kind === 'code') return `<code>${escapeMarkup(part.text)}</code>`;
      const inside = inlineHtml(part.content, page);
      if (part.kind !== 'link') return `<${TAGS[part.kind]}>${inside}</${TAGS[part.kind]}>`;
      return `<a href="${escapeMarkup(new URL(part.href, page).href)}">${inside}</a>`;
    })
    .join('');
}
