/** The ways of telling people that this site's configuration gives it: none, Teams, mail, or both. */
import type { Kysely } from 'kysely';
import type { Env } from '../platform/env.server.ts';
import type { Tables } from '../platform/tables.server.ts';
import type { Writer } from './account.server.ts';
import type { Channel, ReadTold } from './channel.server.ts';
import { customerMailChannel, staffMailChannel } from './mail.server.ts';
import { teamsChannel } from './teams.server.ts';
import { readTold } from './told.server.ts';

export function configuredChannels(
  { teams, mail }: Pick<Env, 'teams' | 'mail'>,
  db: Kysely<Tables>,
  writer: Writer,
): Channel[] {
  const read: ReadTold = (row) => readTold(db, JSON.parse(row.notice));
  return [
    ...(teams ? [teamsChannel(teams, read, writer)] : []),
    ...(mail
      ? [staffMailChannel(mail, read, writer), customerMailChannel(mail, read, writer)]
      : []),
  ];
}
