/** The settings of mail through Microsoft Graph. */
import * as z from 'zod/mini';
import { choice, privateUrl, textThat } from '../platform/config/env-fields.server.ts';

const GUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** `common` and its like have no dot; an app belongs to one tenant. */
const DOMAIN = /^[a-z\d-]+(\.[a-z\d-]+)+$/i;
const isGuid = (value: string) => GUID.test(value);

export const graphVariables = {
  GRAPH_TENANT_ID: textThat(
    (value) => isGuid(value) || DOMAIN.test(value),
    "must be the tenant's id (a GUID) or one of its domains",
  ),
  GRAPH_CLIENT_ID: textThat(isGuid, 'must be the application (client) id, a GUID'),
  GRAPH_CLIENT_SECRET: textThat(
    (value) => !isGuid(value),
    "must be the secret's value, not its id",
  ),
  GRAPH_MAILBOX: textThat(
    (value) => isGuid(value) || /^[^\s@<>]+@[^\s@<>]+$/.test(value),
    "must be the mailbox's user name, such as website@example.onmicrosoft.com",
  ),
  GRAPH_REPLIES: choice('on', 'off'),
  GRAPH_LOGIN_URL: privateUrl(),
  GRAPH_API_URL: privateUrl(),
};

const variables = z.object(graphVariables);
type GraphVariables = z.output<typeof variables>;
export type GraphSettings = NonNullable<ReturnType<typeof graphSettings>>;

export const GRAPH_KEYS = ['GRAPH_TENANT_ID', 'GRAPH_CLIENT_ID', 'GRAPH_CLIENT_SECRET'] as const;

/** Null without Graph's keys. */
export function graphSettings(env: GraphVariables) {
  const [tenantId, clientId, clientSecret] = GRAPH_KEYS.map((name) => env[name]);
  if (!tenantId || !clientId || !clientSecret) return null;
  return {
    tenantId,
    clientId,
    clientSecret,
    /** Null: it is called like the address in MAIL_FROM. */
    mailbox: env.GRAPH_MAILBOX ?? null,
    /** Whether replies by mail are read from it. */
    replies: env.GRAPH_REPLIES === 'on',
    loginUrl: env.GRAPH_LOGIN_URL?.origin ?? 'https://login.microsoftonline.com',
    apiUrl: env.GRAPH_API_URL?.origin ?? 'https://graph.microsoft.com',
  };
}
