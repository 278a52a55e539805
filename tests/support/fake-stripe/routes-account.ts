import { noSuch } from './errors.ts';
import { apiVersion, type EventData } from './event-log.ts';
import { page, paging } from './listing.ts';
import { type Route, route } from './router.ts';
import { int, list, object, text, wanted } from './schema.ts';
import type { World } from './world.ts';

const webhookEndpoints = (world: World) =>
  world.webhookEndpoints.map((setting, place) => ({
    id: `we_standIn${place + 1}`,
    object: 'webhook_endpoint' as const,
    api_version: setting.apiVersion === undefined ? apiVersion : setting.apiVersion,
    enabled_events: setting.enabledEvents ?? ['*'],
    status: setting.status ?? 'enabled',
    url: setting.url,
  }));

/** Before 2025 an invoice named its subscription itself and had no parent. */
const rendered = (world: World, event: EventData): EventData => {
  if (world.accountVersion === apiVersion) return event;
  const { object } = event.data;
  const { parent, ...older } = object;
  return {
    ...event,
    api_version: world.accountVersion,
    data: { object: object.object === 'invoice' ? older : object },
  };
};

export const accountRoutes: Route[] = [
  route({
    on: 'GET /v1/account',
    params: {},
    returns: 'account',
    run: (world) => ({ id: world.accountId, object: 'account', charges_enabled: true }),
  }),
  route({
    on: 'GET /v1/webhook_endpoints',
    params: paging,
    returns: 'list of webhook_endpoint',
    run: (world, params) => page('/v1/webhook_endpoints', webhookEndpoints(world), params),
  }),
  route({
    on: 'GET /v1/events',
    params: {
      ...paging,
      created: wanted(object({ gte: int(0) })),
      types: wanted(list(text(), 20)),
    },
    returns: 'list of event',
    run: (world, { created, types, ...paged }) =>
      page(
        '/v1/events',
        world.log.data
          .filter((row) => types.includes(row.type) && row.created >= created.gte)
          .map((event) => rendered(world, event)),
        paged,
      ),
  }),
  route({
    on: 'GET /v1/events/:id',
    params: {},
    returns: 'event',
    run(world, _params, id) {
      const event = world.log.data.find((row) => row.id === id);
      if (event === undefined) throw noSuch('event', id, 'id');
      return rendered(world, event);
    },
  }),
];
