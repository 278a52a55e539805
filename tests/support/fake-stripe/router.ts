import { StripeFailure } from './errors.ts';
import { checkExpand, type JsonObject, render } from './expand.ts';
import type { ParamTree } from './form.ts';
import { list, maybe, object, type Parsed, type Schema, type Shape, text } from './schema.ts';
import type { World } from './world.ts';

export interface Route {
  method: string;
  pattern: RegExp;
  execute(world: World, params: ParamTree, id: string): JsonObject;
}

interface RouteInput<S extends Shape> {
  /** Such as `POST /v1/customers/:id`. */
  on: string;
  params: S;
  /** What Stripe takes and the stand-in does not. */
  unmodelled?: readonly string[];
  /** What is answered, as the expansion rules name it. */
  returns: string;
  run(world: World, params: Parsed<S>, id: string): object;
}

const expandSchema: Schema<{ expand?: string[] }> = object({ expand: maybe(list(text())) });

export const route = <S extends Shape>(input: RouteInput<S>): Route => {
  const [method = '', path = ''] = input.on.split(' ');
  const schema = object(input.params, input.unmodelled ?? []);
  return {
    method,
    pattern: new RegExp(`^${path.replace(':id', '([^/]+)')}$`),
    execute(world, params, id) {
      const { expand: wanted, ...rest } = params;
      const parsed = schema.parse(rest, '');
      const { expand = [] } =
        wanted === undefined ? {} : expandSchema.parse({ expand: wanted }, '');
      checkExpand(input.returns, expand);
      return render(world, input.returns, input.run(world, parsed, id), expand);
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
    message: `Unrecognized request URL (${method}: ${path}). Either Stripe has no such address, or this stand-in does not model it.`,
  });
};
