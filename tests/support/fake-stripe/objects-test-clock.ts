import { absent } from './objects-catalogue.ts';
import { newId, type World } from './world.ts';

const lifeSeconds = 30 * 86_400;

export const makeTestClock = (world: World, frozen_time: number, name: string | undefined) => ({
  id: newId('clock'),
  object: 'test_helpers.test_clock' as const,
  created: world.now(),
  deletes_after: world.now() + lifeSeconds,
  frozen_time,
  livemode: false,
  name: name ?? absent<string>(),
  status: 'ready' as 'advancing' | 'ready',
  status_details: {},
});

export type TestClock = ReturnType<typeof makeTestClock>;
