/** Routes: method, path, parameters and expansion. */
import type * as z from 'zod';
import { StripeFailure } from './errors.ts';
import { checkExpand, type JsonObject, render } from './expand.ts';
import { list, object, type ParamTree, parse, text } from './schema.ts';
import type { World } from './world.ts';

export interface Route {
  method: string;
  pattern: RegExp;
  execute(world: World, params: ParamTree, id: string): JsonObject;
}

interface RouteInput<S extends z.ZodRawShape> {
  /** Method and path, for example `POST /v1/customers/:id`. */
  on: string;
  params: S;
  /** The type of the answer, a key of the expansion rules in expand.ts. */
  returns: string;
  run(world: World, params: z.output<z.ZodObject<S, z.core.$strict>>, id: string): object;
}

const expanding = object({ expand: list(text()).optional() });

export const route = <S extends z.ZodRawShape>(input: RouteInput<S>): Route => {
  const [method = '', path = ''] = input.on.split(' ');
  const schema = object(input.params);
  return {
    method,
    pattern: new RegExp(`^${path.replace(':id', '([^/]+)')}$`),
    execute(world, { expand: wanted, ...rest }, id) {
      const params = parse(schema, rest);
      const { expand = [] } = parse(expanding, wanted === undefined ? {} : { expand: wanted });
      checkExpand(input.returns, expand);
      return render(world, input.run(world, params, id), expand);
    },
  };
};

export const findRoute = (
  routes: readonly Route[],
  method: string,
  path: string,
): { route: Route; id: string } => {
  for (const candidate of routes) {
    const match = candidate.method === method ? candidate.pattern.exec(path) : null;
    if (match !== null) return { route: candidate, id: decodeURIComponent(match[1] ?? '') };
  }
  throw new StripeFailure({
    status: 404,
    type: 'invalid_request_error',
    executed: false,
    message: `Unrecognized request URL (${method}: ${path}). The stand-in supports only what the site uses.`,
  });
};
