/** How long a message takes until it is on its way, and how long visitors wait while every receiver hangs. */
import { setTimeout as pause } from 'node:timers/promises';
import { FakeTeams } from './fake-teams.ts';
import { Mailbox } from './mailbox.ts';
import { startServer } from './server-process.ts';
import { Visitor } from './visitor.ts';

export interface Waits {
  /** From sending to the card's arrival, of 20 messages one by one, in milliseconds. */
  firstDeliveryMs: number;
  firstDeliveryWorstMs: number;
  /** Of 200 calls each, while every receiver hangs; and how many times as long as while they answer. */
  contactMedianMs: number;
  chatMedianMs: number;
  contactTimesAnswering: number;
  chatTimesAnswering: number;
}

export async function measureWaits(database: Record<string, string>): Promise<Waits> {
  const teams = await FakeTeams.start();
  const mailbox = await Mailbox.start();
  const variables = { ...database, ...teams.variables, ...mailbox.variables };
  const server = await startServer(variables);
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

  const callOften = async () => {
    const contact: number[] = [];
    const chat: number[] = [];
    for (let index = 0; index < 200; index += 1) {
      contact.push(await send('/api/contact'));
      chat.push(await send('/api/teams-chat'));
    }
    return { contact, chat };
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

  const answering = await callOften();
  teams.behaviour = () => 'hang';
  mailbox.behaviour = () => 'hang';
  const hanging = await callOften();
  await server.child.kill('SIGKILL');
  await teams.stop();
  await mailbox.stop();
  return {
    firstDeliveryMs: median(deliveries),
    firstDeliveryWorstMs: Math.max(...deliveries),
    contactMedianMs: median(hanging.contact),
    chatMedianMs: median(hanging.chat),
    contactTimesAnswering: median(hanging.contact) / median(answering.contact),
    chatTimesAnswering: median(hanging.chat) / median(answering.chat),
  };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
