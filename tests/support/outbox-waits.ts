/** How long a message takes until it is on its way, and how long visitors wait while every receiver hangs. */
import { setTimeout as pause } from 'node:timers/promises';
import { FakeTeams } from './fake-teams.ts';
import { Mailbox } from './mailbox.ts';
import { startServerProcess } from './server-process.ts';
import { Visitor } from './visitor.ts';

export interface Waits {
  /** From sending to the card's arrival, of 20 messages one by one, in milliseconds. */
  firstDeliveryMs: number;
  firstDeliveryWorstMs: number;
  /** Of 200 calls each, while the receivers hang. */
  contactMedianMs: number;
  contactWorstMs: number;
  chatMedianMs: number;
  chatWorstMs: number;
}

export async function measureWaits(database: Record<string, string>): Promise<Waits> {
  const teams = await FakeTeams.start();
  const mailbox = await Mailbox.start();
  const variables = { ...database, ...teams.variables, ...mailbox.variables };
  const server = await startServerProcess(variables);
  const send = async (path: string) => {
    const who = { name: 'Jane Doe', email: 'jane@dealer.example' };
    const began = performance.now();
    const { status } = await new Visitor(server.address).post(path, {
      ...who,
      message: 'Does it make me wait?',
    });
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    return performance.now() - began;
  };

  const deliveries: number[] = [];
  for (let index = 1; index <= 20; index += 1) {
    const began = performance.now();
    await send('/api/teams-chat');
    while (teams.accepted.length < index) await pause(1);
    deliveries.push(performance.now() - began);
    // The outbox falls asleep between two messages, as it does in life.
    await pause(1000);
  }

  teams.behaviour = () => 'hang';
  mailbox.behaviour = () => 'hang';
  const contact: number[] = [];
  const chat: number[] = [];
  for (let index = 0; index < 200; index += 1) {
    contact.push(await send('/api/contact'));
    chat.push(await send('/api/teams-chat'));
  }
  await server.kill();
  await teams.stop();
  await mailbox.stop();
  return {
    firstDeliveryMs: median(deliveries),
    firstDeliveryWorstMs: Math.max(...deliveries),
    contactMedianMs: median(contact),
    contactWorstMs: Math.max(...contact),
    chatMedianMs: median(chat),
    chatWorstMs: Math.max(...chat),
  };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
