/** `npm run notify:test`: sends one by each way of reaching people that is configured, and says what came back. */
import { companySchema } from '../src/company/company-content.server.ts';
import { contactMessage } from '../src/contact/contact.ts';
import { contactReceived } from '../src/contact/contact-message.server.ts';
import {
  customerEmail,
  MAIL_DEADLINE_MS,
  openMail,
  staffEmail,
} from '../src/notifications/mail.server.ts';
import type { Email, Outcome, Writer } from '../src/notifications/notification.server.ts';
import { postCard, TEAMS_DEADLINE_MS } from '../src/notifications/teams.server.ts';
import { CannotStart } from '../src/platform/config/cannot-start.server.ts';
import { ContentReader } from '../src/platform/config/content-file.server.ts';
import { readEnv } from '../src/platform/config/env.server.ts';

sendOneOfEach().catch((error: unknown) => {
  if (!(error instanceof CannotStart)) throw error;
  console.error(error.message);
  process.exitCode = 1;
});

async function sendOneOfEach(): Promise<void> {
  const { teams, mail, publicUrl, host, port } = readEnv(process.env);
  const origin = publicUrl ?? `http://${host}:${port}`;
  const writer = {
    company: readCompany(),
    publicUrl: origin,
    customerPage: async () => origin,
    accessPage: async () => origin,
    quotePage: async () => origin,
    now: async () => Date.now(),
  };
  const submission = sampleSubmission(writer);
  const message = {
    ...contactReceived.staffMessage(submission, writer),
    title: 'Test: new message',
  };
  const outcomes: Outcome[] = [];
  const say = (what: string, outcome: Outcome) => {
    outcomes.push(outcome);
    console.log(`${what}: ${outcome.kind === 'gone' ? outcome.kind : outcome.answer}`);
  };

  if (teams) {
    say('Microsoft Teams', await postCard(teams, message, AbortSignal.timeout(TEAMS_DEADLINE_MS)));
    console.log(
      '  Accepted means that the flow took the card; look into the channel to see that it was posted.',
    );
  } else {
    console.log('Microsoft Teams: not configured (TEAMS_WEBHOOK_URL)');
  }
  if (mail) {
    const post = openMail(mail);
    const now = Date.now();
    const send = (key: string, email: Email) =>
      post.send(
        { to: mail.to, email, key: `test-${key}-${now.toString(36)}`, date: now },
        AbortSignal.timeout(MAIL_DEADLINE_MS),
      );
    const words = await contactReceived.customerEmail?.(submission, now, writer);
    if (!words) throw new Error('customers get no confirmation');
    say(`Email to staff, ${mail.to}`, await send('staff', staffEmail(message, writer)));
    say(
      `Email to customers, sent to ${mail.to} instead`,
      await send('customer', {
        ...customerEmail(words, writer.company),
        subject: `Test: ${words.subject}`,
      }),
    );
    post.close();
  } else {
    console.log('Email: not configured (SMTP_URL, MAIL_FROM, MAIL_TO)');
  }
  process.exitCode = outcomes.every(({ kind }) => kind === 'accepted') ? 0 : 1;
}

function readCompany(): Writer['company'] {
  const reader = new ContentReader('content');
  const company = reader.json('company.json', companySchema);
  reader.finish();
  if (!company) throw new Error('content/company.json is missing');
  return company;
}

function sampleSubmission({ company }: Writer) {
  const message = contactMessage.parse({
    name: company.supportName,
    email: company.email,
    phone: company.phone.display,
    message: 'This is a test of the website’s messages. Nobody needs to answer it.',
  });
  return { ...message, id: 0, mark: 'new', createdAt: Date.now() };
}
