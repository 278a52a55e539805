/**
 * The ways of reaching people that this site's configuration gives it: none, Teams, mail, or both. The mail library
 * is loaded only where there is mail to send.
 */
import type { Env } from '../platform/env/env.server.ts';
import type { Channel } from './channel.server.ts';
import type { Writer } from './staff-message.server.ts';
import { teamsChannel } from './teams.server.ts';

export async function configuredChannels(
  { teams, mail }: Pick<Env, 'teams' | 'mail'>,
  writer: Writer,
): Promise<Channel[]> {
  return [
    ...(teams ? [teamsChannel(teams, writer)] : []),
    ...(mail ? (await import('./mail.server.ts')).mailChannels(mail, writer) : []),
  ];
}
