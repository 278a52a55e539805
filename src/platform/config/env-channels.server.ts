/** The ways to send, as the environment names them: a webhook of Teams, and a mail server. */
import * as z from 'zod/mini';
import { isLoopback } from '../http/loopback.server.ts';
import type { Reader } from './env-reader.server.ts';

/** What Teams is known to bear; a receiver on this machine, in tests, bears more. */
const TEAMS_PACE_MS = 1000;

/** `paceMs`: the least time between two cards. */
export function readTeams(read: Reader) {
  const url = read.url('TEAMS_WEBHOOK_URL', ['http:', 'https:']);
  const payload = read.choice('TEAMS_PAYLOAD', ['envelope', 'card']) ?? 'envelope';
  const paceMs = read.integer('TEAMS_PACE_MS', TEAMS_PACE_MS, 0, 60_000);
  if (!url) return null;
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    read.faults.push('TEAMS_WEBHOOK_URL must begin with https:// (http:// on loopback only)');
  }
  if (
    /(^|\.)webhook\.office(365)?\.com$/.test(url.hostname) ||
    /^outlook\.office(365)?\.com$/.test(url.hostname)
  ) {
    read.faults.push(
      'TEAMS_WEBHOOK_URL is the address of an Office 365 connector; Microsoft switched those off in May 2026. ' +
        "Make a Workflows webhook ('Send webhook alerts to a channel') in Teams and use its address",
    );
  }
  if (url.username !== '' || url.password !== '') {
    read.faults.push('TEAMS_WEBHOOK_URL must hold no user name or password');
  }
  if (paceMs < TEAMS_PACE_MS && !isLoopback(url.hostname)) {
    read.faults.push(
      `TEAMS_PACE_MS must be at least ${TEAMS_PACE_MS}: Teams refuses more than a card a second`,
    );
  }
  return { webhookUrl: url.href, payload, paceMs };
}

const mailbox = z
  .string()
  .check(z.regex(/^([^<>\r\n"]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/));

export function readMail(read: Reader) {
  const mail = read.together(['SMTP_URL', 'MAIL_FROM', 'MAIL_TO']);
  if (!mail) return null;
  const url = read.url('SMTP_URL', ['smtp:', 'smtps:']);
  if (
    url &&
    (url.hostname === '' || !/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '')
  ) {
    read.faults.push(
      'SMTP_URL must name a server and nothing after it, such as smtps://user:password@mail.example.com:465',
    );
  }
  if (url && (url.username === '') !== (url.password === '')) {
    read.faults.push('SMTP_URL must hold a user name and a password, or neither');
  }
  for (const name of ['MAIL_FROM', 'MAIL_TO'] as const) {
    if (mail[name] && !mailbox.safeParse(mail[name]).success) {
      read.faults.push(`${name} must be an email address, such as 'Tidewell <hello@example.com>'`);
    }
  }
  return { smtpUrl: url?.href ?? '', from: mail.MAIL_FROM, to: mail.MAIL_TO };
}
