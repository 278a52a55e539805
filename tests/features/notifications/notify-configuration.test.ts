import { describe, expect, test } from 'vitest';
import { readEnv } from '../../../src/platform/config/env.server.ts';
import { SAMPLE_MESSAGE, SAMPLE_ORDER } from '../../support/call-row.ts';
import { startTestApp } from '../../support/test-app.ts';

describe('a configuration that is wrong is told at start, in words', () => {
  const mail = {
    SMTP_URL: 'smtps://mail.dealer.example',
    MAIL_FROM: 'web@dealer.example',
    MAIL_TO: 'Desk <desk@dealer.example>',
  };
  const hook = 'https://prod-1.westus.logic.azure.com/workflows/1?sig=abc';

  test.each([
    [
      'a switched-off connector',
      { TEAMS_WEBHOOK_URL: 'https://dealer.webhook.office.com/webhookb2/1' },
      /switched those off in May 2026.*Workflows/,
    ],
    [
      'Teams without encryption',
      { TEAMS_WEBHOOK_URL: 'http://teams.dealer.example/1' },
      /TEAMS_WEBHOOK_URL must begin with https/,
    ],
    [
      'too fast for Teams',
      { TEAMS_WEBHOOK_URL: hook, TEAMS_PACE_MS: '100' },
      /TEAMS_PACE_MS must be at least 1000/,
    ],
    ['half of mail', { SMTP_URL: mail.SMTP_URL }, /MAIL_FROM is missing[\s\S]*MAIL_TO is missing/],
    [
      'a user without a password',
      { ...mail, SMTP_URL: 'smtps://me@mail.dealer.example' },
      /a user name and a password, or neither/,
    ],
    [
      'a password with a bare percent sign',
      { ...mail, SMTP_URL: 'smtps://me:100%@mail.dealer.example' },
      /%25/,
    ],
    [
      'two recipients',
      { ...mail, MAIL_TO: 'a@dealer.example, b@dealer.example' },
      /MAIL_TO must be an email address/,
    ],
  ])('%s', (_name, variables, message) => {
    expect(() => readEnv(variables)).toThrow(message);
  });

  test('and what is right is taken', () => {
    const env = readEnv({ ...mail, TEAMS_WEBHOOK_URL: hook });
    expect(env.teams).toEqual({ webhookUrl: hook, payload: 'envelope', paceMs: 1000 });
    expect(env.mail).toEqual({ smtpUrl: mail.SMTP_URL, from: mail.MAIL_FROM, to: mail.MAIL_TO });
  });

  test('and no secret is repeated', () => {
    const secret = 'https://me:hunter22@dealer.webhook.office.com/?sig=c2VjcmV0';
    expect(() => readEnv({ TEAMS_WEBHOOK_URL: secret })).toThrow(/^(?![\s\S]*(hunter22|c2VjcmV0))/);
  });
});

test('a site without Teams and mail takes messages and orders, and writes nothing that would wait for ever', async () => {
  const app = await startTestApp();
  const visitor = app.visitor();
  expect((await visitor.post('/api/contact', SAMPLE_MESSAGE)).status).toBe(200);
  expect((await visitor.post('/api/create-payment-intent', SAMPLE_ORDER)).status).toBe(200);
  expect(await app.database.db.selectFrom('outbox').selectAll().execute()).toEqual([]);
  await app.stop();
});
