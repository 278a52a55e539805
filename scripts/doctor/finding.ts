import type { Content } from '../../src/content.server.ts';
import type { Env } from '../../src/platform/config/env.server.ts';

export interface Finding {
  level: 'ok' | 'warning' | 'error';
  text: string;
  /** What to do, in a sentence; '' where nothing has to be done. */
  cure: string;
}

export interface Circumstances {
  env: Env;
  /** Undefined while it cannot be read. */
  content: Content | undefined;
  /** Whether test notifications are to be sent. */
  send: boolean;
}

export type Check = (circumstances: Circumstances) => Finding[] | Promise<Finding[]>;

export const ok = (text: string): Finding => ({ level: 'ok', text, cure: '' });
export const warning = (text: string, cure: string): Finding => ({ level: 'warning', text, cure });
export const failure = (text: string, cure: string): Finding => ({ level: 'error', text, cure });

/** For how long an answer is waited for. */
export const ANSWER_MS = 10_000;

/** Of a failed `fetch` the reason is in its cause. */
export function networkReason(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof AggregateError) return networkReason(cause.errors[0]);
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
