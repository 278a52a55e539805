/** Posts cards to a Teams Workflows webhook. Errors and answers never contain its secret URL. */
import { mailAddress, withoutDirections } from '../platform/fields.ts';
import { notTaken, post, QUICK_DEADLINE_MS, readBeginning } from './http-answer.server.ts';
import type {
  Channel,
  DeliveryOutcome,
  MessageContext,
  StaffMessage,
} from './notification.server.ts';

export interface TeamsSettings {
  webhookUrl: string;
  payload: 'envelope' | 'card';
  paceMs: number;
}

export function teamsChannel(teams: TeamsSettings, context: MessageContext): Channel {
  return {
    name: 'teams',
    paceMs: teams.paceMs,
    leavesCopies: true,
    deadlineMs: QUICK_DEADLINE_MS,
    async deliver(_row, { kind, subject }, signal) {
      const message = kind.staffMessage?.(subject, context);
      return message ? postCard(teams, message, signal) : { kind: 'obsolete' };
    },
  };
}

export async function postCard(
  teams: TeamsSettings,
  message: StaffMessage,
  signal: AbortSignal,
): Promise<DeliveryOutcome> {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify(teams.payload === 'card' ? card(message) : envelope(card(message)));
  return post(teams.webhookUrl, { headers, body, signal }, QUICK_DEADLINE_MS / 1000, refusalOf);
}

async function refusalOf(response: Response): Promise<DeliveryOutcome> {
  const { status } = response;
  // Power Automate's, such as WorkflowTriggerIsNotEnabled. The rest may quote the URL.
  const [, code = ''] = /"code"\s*:\s*"([A-Za-z]{1,60})"/.exec(await readBeginning(response)) ?? [];
  const refusal = notTaken(response, code);
  if (status === 413) return { kind: 'refused', answer: refusal.answer };
  // The flow may be gone, switched off, throttled for days, or ask for another form of cards.
  const isLasting = refusal.isLasting || status === 400;
  return { ...refusal, about: status < 500 || code ? 'likely-all' : 'unknown', isLasting };
}

/** These keep a card under 20 KB: Teams allows 28 KB after escaping; flows have failed at 21 KB. */
const MAX_LINES = 40;
const MAX_TEXT_BYTES = 12_000;

function cutText(text: string): string {
  let cut = text.split('\n', MAX_LINES).join('\n');
  while (escapedBytes(cut) > MAX_TEXT_BYTES) cut = cut.slice(0, cut.length * 0.9);
  // Don't leave half a surrogate pair.
  return cut.replace(/[\uD800-\uDBFF]$/, '');
}

/** The size of a text in JSON that escapes as much as .NET does: \uXXXX, and more. */
function escapedBytes(text: string): number {
  return text.length + 5 * (text.match(/[^ -~]|["&'+<>\\`]/g)?.length ?? 0);
}

function envelope(content: object): object {
  const contentType = 'application/vnd.microsoft.card.adaptive';
  return { type: 'message', attachments: [{ contentType, contentUrl: null, content }] };
}

/** A visitor's words go into TextRuns only, where Markdown has no effect. */
function card({ title, warning, facts, text, reply, staffUrl }: StaffMessage): object {
  const words = neutralize(text ?? '');
  const excerpt = cutText(words);
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
          { type: 'TextRun', text: neutralize(value), weight: 'Bolder' },
        ],
      })),
      ...(excerpt ? paragraphs(excerpt) : []),
      ...(excerpt.length < words.length
        ? [note(`This message was cut short. Read all of it in the [staff area](${staffUrl}).`)]
        : []),
      // As a link, because Teams ignores mailto: on buttons.
      ...(reply ? [note(`[Reply by email](${mailAddress(reply.email, reply.subject)})`)] : []),
    ],
    actions: [{ type: 'Action.OpenUrl', title: 'Open the staff area', url: staffUrl }],
    msteams: { width: 'Full' },
  };
}

/** A TextBlock, which renders Markdown. Never use it for a visitor's words. */
function note(text: string): object {
  return { type: 'TextBlock', spacing: 'Medium', text, wrap: true };
}

/** One block per line: some clients ignore line breaks in one. Empty lines widen the gap. */
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

/** Breaks <at>…</at>, a mention in Teams. */
function neutralize(text: string): string {
  return withoutDirections(text).replace(/<(?=\s*(?:\/\s*)?at\b)/gi, '<\u200C');
}
