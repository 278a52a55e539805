/** Checks the account at Stripe, its keys and its webhook endpoint, for `npm run doctor`. */
import type Stripe from 'stripe';
import { reason } from '../../platform/config/cannot-start.server.ts';
import type { CheckReport } from '../provider.server.ts';
import { stripeClient } from './stripe-client.server.ts';
import { FOLLOWED } from './stripe-events.server.ts';
import type { StripeSettings } from './stripe-settings.server.ts';
import { WEBHOOK_PATH } from './stripe-without-keys.server.ts';

export async function checkStripe(
  settings: StripeSettings,
  report: CheckReport,
  publicUrl: string | null,
): Promise<void> {
  const stripe = stripeClient(settings);
  try {
    const account = await stripe.accounts.retrieveCurrent();
    if (account.charges_enabled) report.ok(`the keys are those of ${account.id} at Stripe`);
    else
      report.error(
        `${account.id} may not charge cards yet`,
        "Finish the account's activation in Stripe's dashboard.",
      );
    const { country, default_currency: currency } = account;
    if (currency !== 'usd')
      report.warning(
        `the account is one of ${country} that is paid out in ${currency}`,
        'The site sells in US dollars: what Stripe pays out is converted, and bank debits need an account of the US.',
      );
    await checkPublishableKey(report, stripe, settings);
    if (settings.live) report.ok('live keys: real cards are charged');
    else if (publicUrl?.startsWith('https:'))
      report.warning('test keys: real cards are refused', 'Set the live keys to sell.');
    else report.ok('test keys: no money moves');
    if (publicUrl) await checkEndpoint(report, stripe, publicUrl + WEBHOOK_PATH);
  } catch (error) {
    reportFailure(report, error);
  }
}

/** What the one key has made is found with the other only in the same account. */
async function checkPublishableKey(
  report: CheckReport,
  stripe: Stripe,
  { publishableKey: apiKey }: StripeSettings,
): Promise<void> {
  const isSame = await stripe.tokens
    .create({ pii: { id_number: '000000000' } }, { apiKey })
    .then(({ id }) => stripe.tokens.retrieve(id))
    .then(
      () => true,
      ({ statusCode }) => statusCode !== 401 && statusCode !== 404,
    );
  if (!isSame)
    report.error(
      'STRIPE_PUBLISHABLE_KEY is not of this account, so no card can be entered',
      "Copy both keys from the same account's dashboard.",
    );
}

function reportFailure(report: CheckReport, error: unknown): void {
  const { type, statusCode }: { type?: unknown; statusCode?: unknown } = Object(error);
  if (statusCode === 403)
    report.warning(
      'this restricted key may not read the account and its webhook endpoints',
      "Give it these rights in Stripe's dashboard, or look there yourself.",
    );
  else if (type === 'StripeAuthenticationError')
    report.error(
      'Stripe does not know STRIPE_SECRET_KEY',
      "Copy it again from Stripe's dashboard; it may have been rolled.",
    );
  else
    report.error(
      `Stripe does not answer: ${reason(error)}`,
      'See whether this machine reaches api.stripe.com, and status.stripe.com.',
    );
}

async function checkEndpoint(report: CheckReport, stripe: Stripe, url: string): Promise<void> {
  const cure = "Mend it in Stripe's dashboard under Webhooks; docs/stripe.md lists what it needs.";
  const { data } = await stripe.webhookEndpoints.list({ limit: 100 });
  const endpoint = data.find((candidate) => candidate.url === url);
  if (!endpoint) return report.error(`no webhook endpoint leads to ${url}`, cure);
  const { status, enabled_events: events, api_version: version } = endpoint;
  if (status !== 'enabled')
    return report.error(`the webhook endpoint is ${status}`, `Enable it again. ${cure}`);
  const missing = FOLLOWED.filter((type) => !events.includes(type) && !events.includes('*'));
  const ours = stripe.getApiField('version');
  if (missing.length > 0)
    report.error(`the webhook endpoint does not send ${missing.join(', ')}`, cure);
  else if (version !== ours)
    report.warning(`the webhook endpoint has version ${version}, the site ${ours}`, cure);
  else report.ok('the webhook endpoint sends every event that the site needs');
}
