/**
 * Posts cards to a Microsoft Teams Workflows webhook. Its address is a secret, for anybody who has it can post: it is in
 * no error and no answer from here. What the flow answers means that it took the card, not that it posted it.
 */
import type { Env } from '../platform/config/env.server.ts';
import type {
  Channel,
  DeliveryOutcome,
  MessageContext,
  StaffMessage,
} from './notification.server.ts';
import { LONGEST_PAUSE_MS } from './outbox-store.server.ts';

export const TEAMS_DEADLINE_MS = 5_000;
/** The card itself is refused, so the same card would be again. */
const ABOUT_CARD = new Set([400, 413, 415, 422]);
/** Also answered with 400, but about the flow: it has been switched off, say, and will be switched on again. */
const ABOUT_FLOW = /^Workflow/;

export type TeamsEnv = NonNullable<Env['teams']>;

export function teamsChannel(teams: TeamsEnv, context: MessageContext): Channel {
  return {
    name: 'teams',
    paceMs: teams.paceMs,
    deadlineMs: TEAMS_DEADLINE_MS,
    async deliver(_row, { kind, subject }, signal) {
      const message = kind.staffMessage?.(subject, context);
      return message ? postCard(teams, message, signal) : { kind: 'gone' };
    },
    close() {},
  };
}

export async function postCard(
  teams: TeamsEnv,
  message: StaffMessage,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  try {
    const response = await fetch(teams.webhookUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: cardJson(message, teams.payload),
      redirect: 'manual',
      signal,
    });
    return await outcomeOf(response);
  } catch (error) {
    return { kind: 'unavailable', answer: whyNotSent(error) };
  }
}

async function outcomeOf(response: Response): Promise<DeliveryOutcome> {
  const { status } = response;
  if (response.ok) {
    // The card stays accepted if the connection breaks now.
    response.body?.cancel().catch(() => {});
    return { kind: 'accepted', answer: `accepted (${status})` };
  }
  const code = await errorCode(response);
  if (ABOUT_CARD.has(status) && !ABOUT_FLOW.test(code))
    return { kind: 'refused', answer: `refused (${status}${code && ` ${code}`})` };
  return {
    kind: 'unavailable',
    answer:
      status < 400
        ? `answered with a redirect (${status}), which is not followed`
        : `refused (${status}${code && ` ${code}`})`,
    retryAfterMs: retryAfter(response.headers.get('retry-after')),
  };
}

/** Power Automate says in one word what is wrong, such as WorkflowTriggerIsNotEnabled; the rest may quote the address. */
async function errorCode(response: Response): Promise<string> {
  const text = await response.text().catch(() => '');
  return /"code"\s*:\s*"([A-Za-z]{1,60})"/.exec(text)?.[1] ?? '';
}

/** Milliseconds of a header in seconds; 0 without a readable one. */
function retryAfter(header: string | null): number {
  return Math.min(Number(/^\d+$/.exec(header ?? '')) * 1000, LONGEST_PAUSE_MS);
}

/** Names of errors only: their messages may quote the address. */
function whyNotSent(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError') return `no answer within ${TEAMS_DEADLINE_MS / 1000} seconds`;
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return `no connection (${typeof code === 'string' ? code : error.name})`;
}

/** A card of a text within these has less than 20 KB: Teams takes 28, and flows were seen to fail from about 21 on. */
const MOST_LINES = 40;
const MOST_TEXT_BYTES = 12_000;
const MOST_CUT_TEXT = 4_000;

/**
 * The body to post, as JSON: a bare card, or the card in a message's envelope. A visitor's words stand in text runs
 * only, for there Markdown means nothing.
 */
export function cardJson(message: StaffMessage, payload: 'envelope' | 'card'): string {
  const content = card(message);
  return JSON.stringify(payload === 'card' ? content : envelope(content));
}

function cutText(text: string): string {
  const lines = text.split('\n', MOST_LINES).join('\n');
  if (Buffer.byteLength(JSON.stringify(lines)) <= MOST_TEXT_BYTES) return lines;
  // Never half of a character.
  return lines.slice(0, MOST_CUT_TEXT).replace(/[\uD800-\uDBFF]$/, '');
}

function envelope(content: object): object {
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] };
}

function card({ title, warning, facts, text, reply, staffUrl }: StaffMessage): object {
  const words = harmless(text ?? '');
  const shown = cutText(words);
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
      ...(shown ? paragraphs(shown) : []),
      ...(shown.length < words.length
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
  return text.split(/\n\s*\n/).flatMap((paragraph, index) =>
    paragraph.split('\n').map((line, place) => ({
      type: 'RichTextBlock',
      spacing: place === 0 ? 'Medium' : 'None',
      separator: index + place === 0,
      inlines: [{ type: 'TextRun', text: line }],
    })),
  );
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
