/** Checks bodies and answers against GET /api/openapi.json, which must name every field. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Call } from '../../src/platform/http/call.server.ts';
import type { TestApp } from './test-app.ts';

type Schema = Record<string, unknown>;

interface Operation {
  requestBody?: { content: { 'application/json': { schema: Schema } } };
  responses: Record<string, { content?: { 'application/json'?: { schema: Schema } } }>;
}

interface Described {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: { Refusal: Schema } };
}

type Answered = { status: number; json: unknown };

/** Returns checks that answer with the schema errors as text, or '' when there are none. */
export async function describedFaults(app: Pick<TestApp, 'visitor'>) {
  const described: Described = (await app.visitor().get('/api/openapi.json')).json;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const validators = new Map<Schema, ValidateFunction>();
  const faults = (schema: Schema, value: unknown) => {
    const validate = validators.get(schema) ?? ajv.compile(closed(schema));
    validators.set(schema, validate);
    return validate(value) ? '' : ajv.errorsText(validate.errors);
  };
  const operationOf = ({ method, path }: Call) => {
    const operation = described.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
    if (!operation) throw new Error(`${method} ${path} is not described`);
    return operation;
  };
  return {
    described,
    ofBody: (call: Call, body: unknown) => {
      const schema = operationOf(call).requestBody?.content['application/json'].schema;
      return schema ? faults(schema, body) : 'the call takes no body';
    },
    ofAnswer(call: Call, { status, json }: Answered): string {
      const response = operationOf(call).responses[status];
      if (!response) return faults(described.components.schemas.Refusal, json);
      const schema = response.content?.['application/json']?.schema;
      // Files and empty answers have no JSON schema.
      return schema ? faults(schema, json) : '';
    },
    ofRefusal: (json: unknown) => faults(described.components.schemas.Refusal, json),
  };
}

/** The schema with `additionalProperties: false` on every object. */
function closed(schema: unknown): Schema {
  return JSON.parse(JSON.stringify(schema), (_, part) =>
    part?.type === 'object' && part.properties && part.additionalProperties === undefined
      ? { ...part, additionalProperties: false }
      : part,
  );
}
