/**
 * Posts cards to a Microsoft Teams Workflows webhook. Its address is a secret, for anybody who has it can post: it is in
 * no error and no answer from here. What the flow answers means that it took the card, not that it posted it.
 */
import type { Env } from '../platform/env/env.server.ts';
import { type Channel, LONGEST_PAUSE_MS, type Outcome } from './channel.server.ts';
import type { StaffMessage, Writer } from './notification-kind.server.ts';
import { cardJson } from './teams-card.server.ts';

const DEADLINE_MS = 5_000;
/** Of an answer that refuses; the word is in its beginning. */
const MOST_READ = 4096;
/** The card itself is refused, so the same card would be again. */
const FINAL = new Set([400, 413, 415, 422]);
/** Also answered with 400, but about the flow: somebody has switched it off, say, and will switch it on again. */
const ABOUT_FLOW = /^Workflow/;

export type TeamsEnv = NonNullable<Env['teams']>;

export function teamsChannel(teams: TeamsEnv, writer: Writer): Channel {
  return {
    name: 'teams',
    // A flow that hangs holds its turn for five seconds; the next ones go on meanwhile.
    atOnce: 4,
    paceMs: teams.paceMs,
    deadlineMs: DEADLINE_MS,
    deliver: (_row, { kind, subject }, stop) =>
      postCard(teams, kind.staffMessage(subject, writer), stop),
    close() {},
  };
}

export async function postCard(
  teams: TeamsEnv,
  message: StaffMessage,
  stop: AbortSignal,
): Promise<Outcome> {
  try {
    const response = await fetch(teams.webhookUrl, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: cardJson(message, teams.payload),
      redirect: 'manual',
      signal: AbortSignal.any([stop, AbortSignal.timeout(DEADLINE_MS)]),
    });
    return await judge(response);
  } catch (error) {
    return { kind: 'failed', answer: reason(error) };
  }
}

async function judge(response: Response): Promise<Outcome> {
  const { status } = response;
  if (response.ok) {
    // A connection that breaks now takes nothing back.
    response.body?.cancel().catch(() => {});
    return { kind: 'accepted', answer: `accepted (${status})` };
  }
  const code = await errorCode(response).catch(() => undefined);
  const retryAfterMs = retryAfter(response.headers.get('retry-after'));
  return {
    kind: 'failed',
    answer:
      status < 400
        ? `answered with a redirect (${status}), which is not followed`
        : `refused (${status}${code ? ` ${code}` : ''})`,
    final: FINAL.has(status) && !(code && ABOUT_FLOW.test(code)),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
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

/** Seconds or a date, as HTTP has it; undefined without a readable one. */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms > 0 ? Math.min(ms, LONGEST_PAUSE_MS) : undefined;
}

/** Names of errors only: their messages may quote the address. */
function reason(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  if (error.name === 'TimeoutError') return `no answer within ${DEADLINE_MS / 1000} seconds`;
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return `no connection (${typeof code === 'string' ? code : error.name})`;
}
