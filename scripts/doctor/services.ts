/** The services that the site depends on: Stripe, Microsoft Teams and mail, asked by the code that the server has for them. */
import { resolveTxt } from 'node:dns/promises';
import type Stripe from 'stripe';
import { contactMessage } from '../../src/contact/contact.ts';
import { contactReceived } from '../../src/contact/contact-message.server.ts';
import {
  customerEmail,
  MAIL_DEADLINE_MS,
  openMail,
  senderDomain,
} from '../../src/notifications/mail.server.ts';
import type { Outcome, Writer } from '../../src/notifications/notification.server.ts';
import { postCard, TEAMS_DEADLINE_MS } from '../../src/notifications/teams.server.ts';
import { stripeClient } from '../../src/payments/stripe/stripe-client.server.ts';
import { EVENT_TYPES } from '../../src/payments/stripe/stripe-events.server.ts';
import { reason } from '../../src/platform/config/cannot-start.server.ts';
import type { Env } from '../../src/platform/config/env.server.ts';
import {
  ANSWER_MS,
  type Check,
  type Circumstances,
  type Finding,
  failure,
  networkReason,
  ok,
  warning,
} from './finding.ts';

export const checkStripe: Check = async ({ env }) => {
  if (!env.stripe)
    return [
      warning(
        'the test gateway takes the payments, and no money moves',
        'Set the three variables of Stripe; docs/stripe.md says how.',
      ),
    ];
  const stripe = stripeClient(env.stripe);
  try {
    const account = await stripe.accounts.retrieveCurrent();
    const { live } = env.stripe;
    return [
      account.charges_enabled
        ? ok(`the keys are those of ${account.id}`)
        : failure(
            `${account.id} may not charge cards yet`,
            "Finish the account's activation in Stripe's dashboard.",
          ),
      live || !env.publicUrl?.startsWith('https:')
        ? ok(live ? 'live keys: real cards are charged' : 'test keys: no money moves')
        : warning('test keys: real cards are refused', 'Set the live keys to sell.'),
      ...(await checkEndpoint(stripe, env)),
    ];
  } catch (error) {
    return [refusedByStripe(error, "the account's data")];
  }
};

function refusedByStripe(error: unknown, what: string): Finding {
  const { type, statusCode }: { type?: unknown; statusCode?: unknown } = Object(error);
  if (statusCode === 403)
    return warning(
      `this restricted key may not read ${what}`,
      "Give it that right in Stripe's dashboard, or look there yourself.",
    );
  if (type === 'StripeAuthenticationError')
    return failure(
      'Stripe does not know STRIPE_SECRET_KEY',
      "Copy it again from Stripe's dashboard; it may have been rolled.",
    );
  return failure(
    `Stripe does not answer: ${reason(error)}`,
    'See whether this machine reaches api.stripe.com, and status.stripe.com.',
  );
}

async function checkEndpoint(stripe: Stripe, { publicUrl }: Env): Promise<Finding[]> {
  if (!publicUrl) return [];
  const url = `${publicUrl}/api/stripe/webhook`;
  const cure = "Mend it in Stripe's dashboard under Webhooks; docs/stripe.md lists what it needs.";
  try {
    const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
    const endpoint = data.find((each) => each.url === url);
    if (!endpoint) return [failure(`no webhook endpoint leads to ${url}`, cure)];
    const { status, enabled_events: events, api_version: version } = endpoint;
    if (status !== 'enabled')
      return [failure(`the webhook endpoint is ${status}`, `Enable it again. ${cure}`)];
    const missing = EVENT_TYPES.filter((type) => !events.includes(type) && !events.includes('*'));
    if (missing.length > 0)
      return [failure(`the webhook endpoint does not send ${missing.join(', ')}`, cure)];
    const ours = stripe.getApiField('version');
    if (version !== ours)
      return [warning(`the webhook endpoint has version ${version}, the site ${ours}`, cure)];
    return [ok('the webhook endpoint sends every event that the site needs')];
  } catch (error) {
    return [refusedByStripe(error, 'webhook endpoints')];
  }
}

export const checkTeams: Check = async (circumstances) => {
  const { teams } = circumstances.env;
  if (!teams)
    return [
      warning('TEAMS_WEBHOOK_URL is not set', 'Set it, or let staff be notified by mail alone.'),
    ];
  if (circumstances.send) {
    const { message } = sample(circumstances);
    return [
      sent('a test card', await postCard(teams, message, AbortSignal.timeout(TEAMS_DEADLINE_MS))),
    ];
  }
  const { origin, hostname } = new URL(teams.webhookUrl);
  try {
    await fetch(origin, {
      method: 'HEAD',
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return [ok(`${hostname} is reached; --send posts a test card`)];
  } catch (error) {
    return [
      failure(
        `${hostname} is not reached: ${networkReason(error)}`,
        'Let this machine reach it by https, or make the webhook again in Teams.',
      ),
    ];
  }
};

export const checkMail: Check = async (circumstances) => {
  const { mail } = circumstances.env;
  if (!mail)
    return [
      warning(
        'SMTP_URL, MAIL_FROM and MAIL_TO are not set, so customers get no receipts and no notices',
        'Set all three.',
      ),
    ];
  const smtp = openMail(mail);
  try {
    const problem = await smtp.verify();
    const found = problem
      ? failure(
          `the mail server does not let us in: ${problem}`,
          'See host, port, user and password in SMTP_URL, and whether the server offers TLS.',
        )
      : ok('the mail server lets us in');
    const domain = await checkDomain(senderDomain(mail), resolveTxt);
    return [found, ...domain, ...(circumstances.send ? [await sendMail(circumstances, smtp)] : [])];
  } finally {
    smtp.close();
  }
};

/** Whether a receiver can tell that mail of the domain is real: without these records, and DKIM's, it ends among spam. */
export async function checkDomain(
  domain: string,
  lookUp: (name: string) => Promise<string[][]>,
): Promise<Finding[]> {
  const records = async (name: string, beginning: RegExp) => {
    const texts = await lookUp(name).catch(() => []);
    return texts.map((parts) => parts.join('')).filter((text) => beginning.test(text));
  };
  const [spf, dmarc] = await Promise.all([
    records(domain, /^v=spf1( |$)/i),
    records(`_dmarc.${domain}`, /^v=DMARC1;/i),
  ]);
  const place = `Add it at the DNS of ${domain}; the mail provider says its text.`;
  return [
    spf.length === 1
      ? ok(`SPF of ${domain}: ${spf[0]}`)
      : failure(`${domain} has ${spf.length} SPF records, and needs one`, place),
    dmarc.length === 1
      ? ok(`DMARC of ${domain}: ${dmarc[0]}`)
      : failure(`${domain} has ${dmarc.length} DMARC records, and needs one`, place),
  ];
}

/** What a customer would get, to staff instead. */
async function sendMail(circumstances: Circumstances, smtp: ReturnType<typeof openMail>) {
  const { to } = circumstances.env.mail ?? { to: '' };
  const { submission, writer } = sample(circumstances);
  const date = Date.now();
  const words = await contactReceived.customerEmail?.(submission, date, writer);
  if (!words) throw new Error('customers get no confirmation');
  const subject = `Test: ${words.subject}`;
  const key = `test-${date.toString(36)}`;
  const email = { ...customerEmail(words, writer), to, subject, key, date };
  const sending = smtp.send(email, AbortSignal.timeout(MAIL_DEADLINE_MS));
  return sent(`what customers get, to ${to} instead`, await sending);
}

function sent(what: string, outcome: Outcome): Finding {
  const answer = outcome.kind === 'gone' ? outcome.kind : outcome.answer;
  return outcome.kind === 'accepted'
    ? ok(`${what}: ${answer}; look whether it arrived`)
    : failure(`${what}: ${answer}`, 'The answer says what to mend.');
}

/** A visitor's message, as staff and its sender would read of it. */
function sample({ env, content }: Circumstances) {
  if (!content) throw new Error('nothing is sent while content/ cannot be read');
  const origin = env.publicUrl ?? `http://${env.host}:${env.port}`;
  const { company } = content;
  const writer: Writer = {
    company,
    publicUrl: origin,
    customerPage: async () => origin,
    accessPage: async () => origin,
    quotePage: async () => origin,
    now: async () => Date.now(),
  };
  const body = contactMessage.parse({
    name: company.supportName,
    email: company.email,
    phone: company.phone.display,
    message: 'This is a test of the website’s messages. Nobody needs to answer it.',
  });
  const submission = { ...body, id: 0, mark: 'new' as const, createdAt: Date.now() };
  const message = contactReceived.staffMessage?.(submission, writer);
  if (!message) throw new Error('staff get no message');
  return { message: { ...message, title: 'Test: new message' }, submission, writer };
}
