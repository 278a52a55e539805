import type { Browser, GivenBilling } from './browser.ts';

export const browserPrefix = '/__stand_in/';

export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, OPTIONS',
  'access-control-allow-headers': '*',
  'access-control-max-age': '600',
};

export interface BrowserRequest {
  path: string;
  /** As it came, but with every card number reduced to its last four digits. */
  payload: Record<string, unknown>;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textIn = (record: Record<string, unknown>, key: string): string => {
  const value = record[key];
  return typeof value === 'string' ? value : '';
};

export const readPayload = (body: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(body);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
};

export const masked = (payload: Record<string, unknown>): Record<string, unknown> =>
  'number' in payload ? { ...payload, number: `…${textIn(payload, 'number').slice(-4)}` } : payload;

/** What the script in the page asks for; undefined for an address that is none of these. */
export const answerBrowser = (
  browser: Browser,
  publishableKey: string,
  path: string,
  payload: Record<string, unknown>,
): object | undefined => {
  if (textIn(payload, 'key') !== publishableKey) {
    return {
      error: {
        type: 'invalid_request_error',
        message: `Invalid API Key provided: ${textIn(payload, 'key').slice(0, 8)}********`,
      },
    };
  }
  const secret = textIn(payload, 'client_secret');
  switch (path.slice(browserPrefix.length)) {
    case 'tokens':
      return { id: browser.tokenize(textIn(payload, 'number')) };
    case 'confirm': {
      const billing = isRecord(payload.billing_details)
        ? (payload.billing_details as GivenBilling)
        : undefined;
      return browser.confirm(
        secret,
        textIn(payload, 'token') || textIn(payload, 'number'),
        billing,
      );
    }
    case 'authenticate':
      return browser.authenticate(secret, payload.approve === true);
    case 'retrieve':
      return browser.retrieve(secret);
    default:
      return undefined;
  }
};
