/** Exchange takes 30 emails a minute from a mailbox and drops more: all instances take turns. */
import type { Db } from '../platform/database/tables.server.ts';

declare module '../platform/database/tables.server.ts' {
  interface Tables {
    mailboxTurns: {
      mailbox: string;
      /** The time of the next turn. In the past if the mailbox has rested. */
      nextAt: number;
    };
  }
}

/** Five at once, then one every 2.5 s: at most 29 in any minute. */
const TURN_MS = 2_500;
const SAVED_TURNS_MS = 4 * TURN_MS;
/** Further ahead than all who may wait; it comes from a wrong clock. */
const TOO_FAR_MS = 5 * 60_000;

/** Takes the next turn. Returns how long to wait for it, in milliseconds. */
export async function takeTurn(db: Db, mailbox: string): Promise<number> {
  const now = Date.now();
  const earliest = now - SAVED_TURNS_MS;
  const { nextAt } = await db
    .insertInto('mailboxTurns')
    .values({ mailbox, nextAt: earliest + TURN_MS })
    .onConflict((conflict) =>
      conflict.column('mailbox').doUpdateSet(({ eb, or }) => {
        const next = eb.ref('mailboxTurns.nextAt');
        const isOver = or([eb(next, '<', earliest), eb(next, '>', now + TOO_FAR_MS)]);
        const turn = eb.case().when(isOver).then(earliest).else(next).end();
        return { nextAt: eb(turn, '+', TURN_MS) };
      }),
    )
    .returning('nextAt')
    .executeTakeFirstOrThrow();
  return Math.max(0, nextAt - TURN_MS - now);
}
