/** GET /api/openapi.json: describes the calls for other programs, generated from the contracts. */
import * as z from 'zod/mini';
import { contract } from '../contract.ts';
import { refusal } from '../fetch-call.ts';
import { JSON_TYPE } from './answer.server.ts';
import { type Call, call } from './call.server.ts';
import { type CachedResponse, cachedText } from './response-cache.server.ts';

const described = z.looseObject({ openapi: z.literal('3.1.0'), paths: z.looseObject({}) });

const DESCRIBE_API = contract('GET /api/openapi.json', { answer: described });

/** The given calls, plus the one that describes them. */
export function withOpenApi(calls: readonly Call[], title: string): readonly Call[] {
  const all = [...calls];
  // It takes milliseconds to write and to check, and never changes.
  let cached: Promise<CachedResponse> | undefined;
  const describing = call(DESCRIBE_API, 'anyone', async ({ headers }) => {
    cached ??= cachedText(JSON.stringify(describe(all, title)), JSON_TYPE);
    return (await cached).response(headers);
  });
  all.push(describing);
  return all;
}

function describe(calls: readonly Call[], title: string): z.input<typeof described> {
  const paths: Record<string, Record<string, object>> = {};
  for (const described of calls) {
    const path = described.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [described.method.toLowerCase()]: operation(described) };
  }
  return {
    openapi: '3.1.0',
    info: { title, version: '1' },
    paths,
    components: {
      schemas: { Refusal: schemaOf(refusal) },
      securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'session' } },
    },
  };
}

function operation({ method, path, access, body, answer, creates }: Call): object {
  const parameters = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return {
    operationId: `${method} ${path}`,
    ...(parameters.length > 0 && { parameters }),
    ...(access !== 'anyone' && {
      security: [{ session: [] }, ...(access === 'staff' ? [] : [{}])],
    }),
    ...(body && {
      requestBody: { required: true, content: json(schemaOf(body)) },
    }),
    responses: {
      ...success(answer, creates ? 201 : 200),
      default: {
        description: 'A refusal',
        content: json({ $ref: '#/components/schemas/Refusal' }),
      },
    },
  };
}

function success(answer: Call['answer'], status: number): object {
  if (!answer) return { 200: { description: 'A file', content: { '*/*': {} } } };
  const schema = schemaOf(answer);
  if (schema.type === 'null') return { 204: { description: 'Done' } };
  return { [status]: { description: 'The answer', content: json(schema) } };
}

/** Describes the schema's input, which is what is sent: amounts are in dollars. */
function schemaOf(schema: z.ZodMiniType) {
  const { $schema: _, ...jsonSchema } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  return jsonSchema;
}

function json(schema: object): object {
  return { 'application/json': { schema } };
}
