/**
 * The ways of telling people that this site's configuration gives it: none, Teams, mail, or both. The mail library
 * is loaded only where there is mail to send.
 */
import type { Kysely } from 'kysely';
import type { Env } from '../platform/env.server.ts';
import type { Tables } from '../platform/tables.server.ts';
import type { Writer } from './account.server.ts';
import type { Channel, ReadTold } from './channel.server.ts';
import { teamsChannel } from './teams.server.ts';
import { readTold } from './told.server.ts';

export async function configuredChannels(
  { teams, mail }: Pick<Env, 'teams' | 'mail'>,
  db: Kysely<Tables>,
  writer: Writer,
): Promise<Channel[]> {
  const read: ReadTold = (row) => readTold(db, JSON.parse(row.notice));
  return [
    ...(teams ? [teamsChannel(teams, read, writer)] : []),
    ...(mail ? (await import('./mail.server.ts')).mailChannels(mail, read, writer) : []),
  ];
}
