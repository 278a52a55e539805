import type { Content } from '../../src/content.server.ts';
import type { Env } from '../../src/env.server.ts';

export interface Finding {
  level: 'ok' | 'warning' | 'error';
  check: string;
  text: string;
  /** What to do, in a sentence; '' if nothing. */
  cure: string;
}

export interface Circumstances {
  env: Env;
  content: Content;
  /** Whether to send test notifications. */
  send: boolean;
  /** Who gets the test email; undefined: staff. */
  sendTo?: string | undefined;
}

export type Check = (report: Report, circumstances: Circumstances) => void | Promise<void>;

export class Report {
  readonly findings: Finding[] = [];
  /** The name of the running check. */
  check = '';

  ok(text: string): void {
    this.findings.push({ level: 'ok', check: this.check, text, cure: '' });
  }

  warning(text: string, cure: string): void {
    this.findings.push({ level: 'warning', check: this.check, text, cure });
  }

  error(text: string, cure: string): void {
    this.findings.push({ level: 'error', check: this.check, text, cure });
  }
}

/** Timeout for an answer. */
export const ANSWER_MS = 10_000;

/** Fetches without following redirects; rejects with the network's reason, `fetch`'s cause. */
export async function request(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await fetch(url, {
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
      ...init,
    });
  } catch (error) {
    const { code, message } = Object(Object(error).cause ?? error);
    // A DOMException's code is a number that says nothing.
    throw new Error(typeof code === 'string' ? code : message);
  }
}
