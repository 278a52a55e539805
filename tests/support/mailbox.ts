/** An SMTP server on loopback that records mail, and fails on demand. */
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';

/** Staff's address. */
export const DESK = 'desk@tidewell.example';

/** Exchange, and Postfix by default, refuse it: 550 5.6.11. */
export const BARE_LINE_END = /(?<!\r)\n|\r(?!\n)/;

export type MailBehaviour =
  | 'accept'
  | 'hang'
  /** Accepts the mail and answers after so many milliseconds, whether the sender waits or not. */
  | { after: number }
  | 'reset'
  /** Accepts the mail, then drops the connection before answering. */
  | 'lose the answer'
  /** Refuses with this SMTP code. */
  | number
  /** Refuses with these words, which begin with the code. */
  | `${number} ${string}`;

export interface ReceivedMail extends Email {
  at: number;
  recipients: string[];
  answerLost: boolean;
  /** What the sender called itself in EHLO. */
  greeting: string;
  /** The message source. */
  raw: string;
}

export class Mailbox {
  readonly mails: ReceivedMail[] = [];
  tries = 0;
  behaviour: (mail: Email, raw: string) => MailBehaviour = () => 'accept';
  /** The text of a refusal. */
  refusal = 'not this one';
  readonly #server: SMTPServer;
  readonly #secure: boolean;

  private constructor(options: SMTPServerOptions) {
    this.#secure = options.secure === true;
    this.#server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      ...options,
      onData: (stream, session, done) => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        buffer(stream)
          .then((content) => this.#receive(content, recipients, session, done))
          .catch(done);
      },
    });
    // Tests make clients disconnect in the middle.
    this.#server.on('error', () => {});
  }

  static async start(options: SMTPServerOptions = {}): Promise<Mailbox> {
    const mailbox = new Mailbox(options);
    await new Promise<void>((resolve) => mailbox.#server.listen(0, '127.0.0.1', resolve));
    return mailbox;
  }

  get port(): number {
    const address = this.#server.server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the mailbox is closed');
    return address.port;
  }

  get variables(): Record<string, string> {
    return {
      SMTP_URL: `${this.#secure ? 'smtps' : 'smtp'}://127.0.0.1:${this.port}`,
      MAIL_FROM: 'Tidewell <web@tidewell.example>',
      MAIL_TO: DESK,
    };
  }

  to(address: string): ReceivedMail[] {
    return this.mails.filter(({ recipients }) => recipients.includes(address));
  }

  async stop(): Promise<void> {
    for (const id of [...this.#server.connections].map(({ session }) => session.id)) this.#cut(id);
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #receive(
    content: Buffer,
    recipients: string[],
    session: SMTPServerSession,
    done: (error?: Error | null) => void,
  ): Promise<void> {
    this.tries += 1;
    const mail = await PostalMime.parse(content);
    const raw = content.toString('utf8');
    const behaviour = BARE_LINE_END.test(raw) ? 550 : this.behaviour(mail, raw);
    if (behaviour === 'hang') return;
    if (behaviour === 'reset') return this.#cut(session.id);
    const [, code, words] = /^(\d{3})(?: (.*))?$/.exec(String(behaviour)) ?? [];
    if (code)
      return done(Object.assign(new Error(words ?? this.refusal), { responseCode: Number(code) }));
    const answerLost = behaviour === 'lose the answer';
    this.mails.push({
      ...mail,
      at: Date.now(),
      recipients,
      answerLost,
      greeting: session.hostNameAppearsAs,
      raw,
    });
    if (answerLost) return this.#cut(session.id);
    if (typeof behaviour === 'object') await pause(behaviour.after);
    done();
  }

  #cut(sessionId: string): void {
    for (const connection of this.#server.connections) {
      if (connection.session.id === sessionId) connection._socket.destroy();
    }
  }
}
