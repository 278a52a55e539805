/** An SMTP server on loopback that records mail, and fails on demand. */
import { buffer } from 'node:stream/consumers';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** Staff's address. */
export const DESK = 'desk@tidewell.example';

/** Exchange, and Postfix by default, refuse it: 550 5.6.11. */
export const BARE_LINE_END = /(?<!\r)\n|\r(?!\n)/;

export type MailBehaviour =
  | 'accept'
  | 'hang'
  | 'reset'
  /** Accepts the mail, then drops the connection before answering. */
  | 'lose the answer'
  /** Refuses with this SMTP code. */
  | number;

export interface ReceivedMail extends Email {
  at: number;
  recipients: string[];
  answerLost: boolean;
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
          .then((content) => this.#receive(content, recipients, session.id, done))
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
    sessionId: string,
    done: (error?: Error | null) => void,
  ): Promise<void> {
    this.tries += 1;
    const mail = await PostalMime.parse(content);
    const raw = content.toString('utf8');
    const behaviour = BARE_LINE_END.test(raw) ? 550 : this.behaviour(mail, raw);
    if (behaviour === 'hang') return;
    if (behaviour === 'reset') return this.#cut(sessionId);
    if (typeof behaviour === 'number') {
      return done(Object.assign(new Error(this.refusal), { responseCode: behaviour }));
    }
    const answerLost = behaviour === 'lose the answer';
    this.mails.push({
      ...mail,
      at: Date.now(),
      recipients,
      answerLost,
      raw,
    });
    if (answerLost) this.#cut(sessionId);
    else done();
  }

  #cut(sessionId: string): void {
    for (const connection of this.#server.connections) {
      if (connection.session.id === sessionId) connection._socket.destroy();
    }
  }
}
