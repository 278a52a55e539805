/** Checks the payment provider and what each channel needs, with the server's own code. */
import { resolveTxt } from 'node:dns/promises';
import type { Env } from '../../src/env.server.ts';
import { graphMailbox } from '../../src/mailbox/graph-mailbox.server.ts';
import { QUICK_DEADLINE_MS } from '../../src/notifications/http-answer.server.ts';
import type { DeliveryOutcome } from '../../src/notifications/notification.server.ts';
import type { CHANNELS, ChannelName } from '../../src/notifications/outbox-api.ts';
import { domainOf, openMail } from '../../src/notifications/send-mail.server.ts';
import { postCard } from '../../src/notifications/teams.server.ts';
import { postEvent, WEBHOOK_DEADLINE_MS } from '../../src/notifications/webhook.server.ts';
import { paymentProvider } from '../../src/payments/start-payments.server.ts';
import { reason } from '../../src/platform/config/cannot-start.server.ts';
import { type Check, type Report, request } from './report.ts';

export const checkPayments: Check = async (report, { env }) =>
  (await paymentProvider(env)).check(report, env.publicUrl);

const TEST = {
  title: 'Test of the site’s messages',
  text: 'This is a test of the site’s messages. Nobody needs to answer it.',
};

const checkTeams: Check = async (report, { env, send }) => {
  const { teams } = env;
  if (!teams)
    return report.warning(
      'TEAMS_WEBHOOK_URL is not set',
      'Set it, or let staff be notified by mail alone.',
    );
  await checkPosting(report, send, {
    url: teams.webhookUrl,
    what: 'a test card',
    cure: 'Let this machine reach it by https, or make the webhook again in Teams.',
    post() {
      const card = { ...TEST, facts: [], reply: null, staffUrl: originOf(env) };
      return postCard(teams, card, AbortSignal.timeout(QUICK_DEADLINE_MS));
    },
  });
};

const checkWebhook: Check = async (report, { env: { webhook }, send }) => {
  if (!webhook) return report.ok('WEBHOOK_URL is not set: events are posted nowhere');
  await checkPosting(report, send, {
    url: webhook.url,
    what: 'a test event',
    cure: 'Let this machine reach it by https, or correct WEBHOOK_URL.',
    post() {
      const event = { type: 'test', timestamp: new Date().toISOString(), data: TEST };
      const signal = AbortSignal.timeout(WEBHOOK_DEADLINE_MS);
      return postEvent(webhook, `evt_test_${Date.now()}`, event, signal);
    },
  });
};

interface Posting {
  url: string;
  /** What `post` sends. */
  what: string;
  cure: string;
  post(): Promise<DeliveryOutcome>;
}

async function checkPosting(report: Report, send: boolean, { url, what, cure, post }: Posting) {
  if (send) return reportSent(report, what, await post());
  const { origin, hostname } = new URL(url);
  try {
    await request(origin, { method: 'HEAD' });
    report.ok(`${hostname} is reached; --send posts ${what}`);
  } catch (error) {
    report.error(`${hostname} is not reached: ${reason(error)}`, cure);
  }
}

const checkMail: Check = async (report, { env, send, sendTo }) => {
  const { mail } = env;
  if (!mail)
    return report.warning(
      'no mail is configured, so customers get no receipts and no notices',
      'Set the variables of Microsoft Graph or SMTP; docs/operations.md says how.',
    );
  const sender = openMail(mail, env.publicUrl);
  const { kind, answer } = await sender.verify();
  if (kind === 'accepted') report.ok(answer);
  else if ('smtpUrl' in mail.transport)
    report.error(
      `the mail server does not let us in: ${answer}`,
      'See host, port, user and password in SMTP_URL, whether the server offers TLS, and whether your network lets mail out: many block port 25.',
    );
  else
    report.error(
      `Microsoft Graph does not let us send: ${answer}`,
      'Do what it says; docs/operations.md has every step.',
    );
  if ('replies' in mail.transport && mail.transport.replies) {
    const mailbox = graphMailbox(mail.transport, mail.from);
    const page = await mailbox.readPage(mailbox.linkSince(Date.now()));
    if (page.kind === 'page') report.ok('replies by mail are read');
    else
      report.error(
        `replies by mail are not read: ${page.answer}`,
        'docs/operations.md has the role that the app needs.',
      );
  }
  await checkDomain(report, domainOf(mail.from), resolveTxt);
  if (send) {
    const date = Date.now();
    const to = sendTo ?? mail.to.address;
    const email = {
      to,
      subject: TEST.title,
      text: `${TEST.text}\n\n${originOf(env)}\n`,
      isAutomatic: true,
      replyTo: { name: '', address: mail.to.address },
      key: `test-${date.toString(36)}`,
      date,
    };
    const sending = sender.send(email, AbortSignal.timeout(sender.deadlineMs));
    reportSent(report, `a test email to ${to}`, await sending);
  }
  sender.close();
};

/** In the order of the output. */
export const CHANNEL_CHECKS: Record<(typeof CHANNELS)[ChannelName]['service'], Check> = {
  teams: checkTeams,
  webhook: checkWebhook,
  mail: checkMail,
};

/** Checks the DNS records without which mail ends up as spam. */
export async function checkDomain(
  report: Report,
  domain: string,
  lookUp: (name: string) => Promise<string[][]>,
): Promise<void> {
  const cure = `Add it at the DNS of ${domain}; the mail provider says its text.`;
  const find = async (name: string, beginning: RegExp) => {
    const texts = (await lookUp(name).catch(absent)).map((parts) => parts.join(''));
    return texts.filter((text) => beginning.test(text));
  };
  const say = (kind: string, [text, ...others]: string[]) => {
    if (text && others.length === 0) report.ok(`${kind} of ${domain}: ${text}`);
    else {
      const count = text ? others.length + 1 : 'no';
      report.error(`${domain} has ${count} ${kind} records, and needs one`, cure);
    }
  };
  try {
    say('SPF', await find(domain, /^v=spf1( |$)/i));
    // A receiver who finds none there asks the domains above it.
    const labels = domain.split('.');
    let policies: string[] = [];
    for (let above = 0; above < labels.length - 1 && policies.length === 0; above += 1)
      policies = await find(`_dmarc.${labels.slice(above).join('.')}`, /^v=DMARC1;/i);
    say('DMARC', policies);
    // Keys are below this name, under selectors. Without a key it does not exist.
    const answer = await lookUp(`_domainkey.${domain}`).then(() => 'ENODATA', codeOf);
    if (answer === 'ENODATA') report.ok(`${domain} has keys of DKIM`);
    if (answer === 'ENOTFOUND') report.warning(`${domain} has no key of DKIM`, cure);
  } catch (error) {
    report.warning(
      `the DNS does not say whether mail of ${domain} is genuine: ${Object(error).code}`,
      "See the name servers of this machine (/etc/resolv.conf), and the domain's own.",
    );
  }
}

const codeOf = (error: NodeJS.ErrnoException) => error.code;

/** None are there, unlike where nobody answers. */
function absent(error: NodeJS.ErrnoException): string[][] {
  if (error.code === 'ENOTFOUND' || error.code === 'ENODATA') return [];
  throw error;
}

function reportSent(report: Report, what: string, outcome: DeliveryOutcome): void {
  const answer = outcome.kind === 'obsolete' ? outcome.kind : outcome.answer;
  if (outcome.kind === 'accepted') report.ok(`${what}: ${answer}; look whether it arrived`);
  else report.error(`${what}: ${answer}`, 'The answer says what to mend.');
}

function originOf({ publicUrl, host, port }: Env): string {
  return publicUrl ?? `http://${host}:${port}`;
}
