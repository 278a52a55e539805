/** What the site says of its calls is what they do. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask, everyCall, makeScene } from '../../support/every-call.ts';
import { startTestApp, type TestApp } from '../../support/test-app.ts';

interface Described {
  paths: Record<string, Record<string, Operation>>;
  components: object;
}
interface Operation {
  requestBody?: { content: { 'application/json': { schema: object } } };
  responses: Record<string, { content?: Record<string, { schema?: object }> }>;
}

let app: TestApp;
let described: Described;
beforeAll(async () => {
  app = await startTestApp();
  described = (await app.visitor().get('/api/openapi.json')).json;
});
afterAll(() => app.stop());

function operationOf({ method, path }: { method: string; path: string }): Operation {
  const operation = described.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${method} ${path} is not described`);
  return operation;
}

/** What the schema finds wrong with the value. */
function faults(schema: object | undefined, value: unknown): string {
  if (!schema) return 'there is no schema';
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  return ajv.validate({ ...schema, components: described.components }, value)
    ? ''
    : ajv.errorsText();
}

test('every call is described, and nothing else is', () => {
  const names = Object.entries(described.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map(
      (method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ),
  );
  expect(names.sort()).toEqual(
    everyCall(app)
      .map(({ name }) => name)
      .sort(),
  );
});

test('each body that is taken and each answer that is given fits its description', async () => {
  const scene = await makeScene(app);
  const staff = await app.staff();
  const callers = { owner: scene.owner, staff };
  const checked = { bodies: 0, answers: 0, refusals: 0 };
  // A call that signs out or erases comes after those that read.
  for (const known of everyCall(app).filter(({ name }) => !/logout|erase|end-others/.test(name))) {
    const operation = operationOf(known.call);
    for (const [as, caller] of Object.entries(callers)) {
      const body = known.row.body?.(scene, as as keyof typeof callers);
      const { status, text, headers } = await ask(caller, known, scene, as as keyof typeof callers);
      const isJson = /json/.test(headers.get('content-type') ?? '');
      if (status === 200 && body) {
        const schema = operation.requestBody?.content['application/json'].schema;
        expect([known.name, faults(schema, body)]).toEqual([known.name, '']);
        checked.bodies += 1;
      }
      const answered = operation.responses[status] ?? operation.responses.default;
      const json = answered?.content?.['application/json'];
      if (!isJson || !json) continue;
      expect([known.name, status, faults(json.schema, JSON.parse(text))]).toEqual([
        known.name,
        status,
        '',
      ]);
      checked[status === 200 ? 'answers' : 'refusals'] += 1;
    }
  }
  expect(checked.bodies).toBeGreaterThan(5);
  expect(checked.answers).toBeGreaterThan(30);
  expect(checked.refusals).toBeGreaterThan(5);
});
