/** A message to staff as an Adaptive Card. A visitor's words stand in text runs only, for there Markdown means nothing. */
import type { StaffMessage } from './notification-kind.server.ts';

/** Teams takes 28 KB; flows were seen to fail from about 21 on. */
export const MOST_BYTES = 21_000;

/** The body to post, as JSON in UTF-8 of less than MOST_BYTES: a bare card, or the card in a message's envelope. */
export function cardJson(message: StaffMessage, payload: 'envelope' | 'card'): string {
  const write = (text: string | null, cut: boolean) => {
    const content = card(message, text, cut);
    return JSON.stringify(payload === 'card' ? content : envelope(content));
  };
  const whole = write(message.text, false);
  if (Buffer.byteLength(whole) < MOST_BYTES) return whole;
  const characters = [...(message.text ?? '')];
  let fits = 0;
  for (let tooLong = characters.length; tooLong - fits > 1; ) {
    const middle = Math.floor((fits + tooLong) / 2);
    const size = Buffer.byteLength(write(characters.slice(0, middle).join(''), true));
    if (size < MOST_BYTES) fits = middle;
    else tooLong = middle;
  }
  return write(characters.slice(0, fits).join(''), true);
}

function envelope(content: object): object {
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] };
}

function card(message: StaffMessage, text: string | null, cut: boolean): object {
  const { title, warning, facts, reply, staffUrl } = message;
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    fallbackText: `${title}: ${staffUrl}`,
    body: [
      { type: 'TextBlock', size: 'Medium', weight: 'Bolder', text: title, wrap: true },
      ...(warning ? [{ type: 'TextBlock', text: warning, color: 'Attention', wrap: true }] : []),
      ...facts.map(([label, value], index) => ({
        type: 'RichTextBlock',
        spacing: index === 0 ? 'Medium' : 'Small',
        inlines: [
          { type: 'TextRun', text: `${label}  `, isSubtle: true },
          { type: 'TextRun', text: harmless(value), weight: 'Bolder' },
        ],
      })),
      ...(text === null ? [] : paragraphs(text)),
      ...(cut
        ? [note(`This message was cut short. Read all of it in the [staff area](${staffUrl}).`)]
        : []),
      ...(reply ? [note(`[Reply by email](${mailto(reply.email, reply.subject)})`)] : []),
    ],
    actions: [{ type: 'Action.OpenUrl', title: 'Open the staff area', url: staffUrl }],
    msteams: { width: 'Full' },
  };
}

/** A text block, which reads Markdown: never for a visitor's words. */
function note(text: string): object {
  return { type: 'TextBlock', spacing: 'Medium', text, wrap: true };
}

/** One block per line, as not every client breaks lines inside a block; empty lines widen the gap. */
function paragraphs(text: string): object[] {
  let spacing = 'Medium';
  const blocks: object[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') {
      spacing = 'Medium';
      continue;
    }
    blocks.push({
      type: 'RichTextBlock',
      spacing,
      separator: index === 0,
      inlines: [{ type: 'TextRun', text: harmless(line) }],
    });
    spacing = 'None';
  }
  return blocks;
}

/** Teams turns <at>…</at> into mentions wherever it stands; an invisible character keeps the letters and breaks the tag. */
function harmless(text: string): string {
  return text
    .replace(/[\u202A-\u202E\u2066-\u2069]/g, '')
    .replace(/<(?=\s*(?:\/\s*)?at\b)/gi, '<\u200C');
}

/**
 * A link that Markdown cannot be broken out of. It stands in the text because Teams ignores mailto: on buttons.
 */
function mailto(email: string, subject: string): string {
  const at = email.lastIndexOf('@');
  return `mailto:${encode(email.slice(0, at))}@${encode(email.slice(at + 1))}?subject=${encode(subject)}`;
}

function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*_~]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
