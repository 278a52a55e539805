/**
 * Posts cards to a Microsoft Teams Workflows webhook. Its address is a secret, for anybody who has it can post: it is in
 * no error and no answer from here. What the flow answers means that it took the card, not that it posted it.
 */
import type { Env } from '../platform/config/env.server.ts';
import type { Channel, Outcome, StaffMessage, Writer } from './notification.server.ts';
import { LONGEST_PAUSE_MS } from './outbox-store.server.ts';

export const TEAMS_DEADLINE_MS = 5_000;
/** Of an answer that refuses; the word is in its beginning. */
const MOST_READ = 4096;
/** The card itself is refused, so the same card would be again. */
const ABOUT_CARD = new Set([400, 413, 415, 422]);
/** Also answered with 400, but about the flow: somebody has switched it off, say, and will switch it on again. */
const ABOUT_FLOW = /^Workflow/;

export type TeamsEnv = NonNullable<Env['teams']>;

export function teamsChannel(teams: TeamsEnv, writer: Writer): Channel {
  return {
    name: 'teams',
    paceMs: teams.paceMs,
    deadlineMs: TEAMS_DEADLINE_MS,
    deliver: (_row, { kind, subject }, signal) =>
      postCard(teams, kind.staffMessage(subject, writer), signal),
    close() {},
  };
}

export async function postCard(
  teams: TeamsEnv,
  message: StaffMessage,
  signal: AbortSignal,
): Promise<Outcome> {
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
    return { kind: 'unavailable', answer: reason(error) };
  }
}

async function outcomeOf(response: Response): Promise<Outcome> {
  const { status } = response;
  if (response.ok) {
    // A connection that breaks now takes nothing back.
    response.body?.cancel().catch(() => {});
    return { kind: 'accepted', answer: `accepted (${status})` };
  }
  const code = (await errorCode(response).catch(() => undefined)) ?? '';
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
async function errorCode(response: Response): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const piece of response.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    // What is left of it is not read.
    if (text.length >= MOST_READ) break;
  }
  return /"code"\s*:\s*"([A-Za-z]{1,60})"/.exec(text)?.[1];
}

/** Milliseconds of a header in seconds or with a date; 0 without a readable one. */
function retryAfter(header: string | null): number {
  const value = header ?? '';
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return ms > 0 ? Math.min(ms, LONGEST_PAUSE_MS) : 0;
}

/** Names of errors only: their messages may quote the address. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError') return `no answer within ${TEAMS_DEADLINE_MS / 1000} seconds`;
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return `no connection (${typeof code === 'string' ? code : error.name})`;
}

/** Teams takes 28 KB; flows were seen to fail from about 21 on. */
export const MOST_BYTES = 21_000;

/**
 * The body to post, as JSON in UTF-8 of less than MOST_BYTES: a bare card, or the card in a message's envelope. A
 * visitor's words stand in text runs only, for there Markdown means nothing.
 */
export function cardJson(message: StaffMessage, payload: 'envelope' | 'card'): string {
  const write = (text: string | null, cut: boolean) => {
    const content = card(message, text, cut);
    return JSON.stringify(payload === 'card' ? content : envelope(content));
  };
  const whole = write(message.text, false);
  if (Buffer.byteLength(whole) < MOST_BYTES) return whole;
  let text = message.text ?? '';
  let json = whole;
  for (let size = Buffer.byteLength(json); size >= MOST_BYTES && text; ) {
    // Nearly as much as fits, if the text weighs the same all over; never half of a character.
    text = text.slice(0, (text.length * MOST_BYTES * 0.95) / size).replace(/[\uD800-\uDBFF]$/, '');
    json = write(text, true);
    size = Buffer.byteLength(json);
  }
  return json;
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
