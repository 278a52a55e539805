import { type Route, route } from './router.ts';
import { int, text } from './schema.ts';
import { advanceClock, createClock } from './test-clocks.ts';
import { retrieve } from './world.ts';

export const testClockRoutes: Route[] = [
  route({
    on: 'POST /v1/test_helpers/test_clocks',
    params: {
      customer: text().optional(),
      frozen_time: int(0),
      name: text(300).optional(),
    },
    returns: 'test_clock',
    run: createClock,
  }),
  route({
    on: 'GET /v1/test_helpers/test_clocks/:id',
    params: {},
    returns: 'test_clock',
    run: (world, _params, id) => retrieve(world, 'test_clock', id, 'test_clock'),
  }),
  route({
    on: 'POST /v1/test_helpers/test_clocks/:id/advance',
    params: { frozen_time: int(0) },
    returns: 'test_clock',
    run: (world, params, id) => advanceClock(world, id, params.frozen_time),
  }),
];
