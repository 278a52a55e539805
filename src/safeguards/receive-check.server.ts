/** The self-check without script: the answers come as a form, and a page shows what they come to. Nothing is kept. */
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import * as z from 'zod/mini';
import { singleLine } from '../platform/fields.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, oldCall } from '../platform/http/call.server.ts';
import { type Asked, askedOf } from '../platform/http/capped-body.server.ts';
import { asJson, roughly } from '../platform/http/form-as-json.server.ts';
import { type Limit, tryAgain } from '../platform/http/rate-limit.server.ts';
import { readForm } from '../platform/http/request-body.server.ts';
import type { Contract } from '../platform/old/contract.ts';
import type { Check } from './check.ts';
import { hasUnknown, NO_SUCH_QUESTION } from './email-report.server.ts';
import { EMAIL_REPORT_PATH, SAFEGUARDS } from './safeguards-address.ts';
import type { SafeguardsContent } from './safeguards-content.ts';
import { answersShape } from './safeguards-shapes.ts';
import { type Filled, MAX_STORE } from './score.ts';

/** Each one that is taken is a rendering. */
const LIMIT: Limit = {
  name: 'safeguards-check',
  rules: [
    { calls: 20, seconds: 60 },
    { calls: 200, seconds: 60 * 60 },
  ],
};

const filledForm = z.strictObject({
  answers: answersShape,
  store: singleLine({ max: MAX_STORE }),
});
/** Asked through the form alone; no address leads to it. */
const FILL: Contract<typeof filledForm, typeof filledForm> = 'POST /api/safeguards-check';

/** What the form says, checked and counted like any call. */
function readFilled(check: Check): Call {
  return oldCall(FILL, {
    access: 'anyone',
    limit: LIMIT,
    body: filledForm,
    answer: filledForm,
    handle: ({ body, accept }) => {
      if (hasUnknown(check, body.answers)) return refuse(400, NO_SUCH_QUESTION);
      accept();
      return body;
    },
  });
}

type Told = SafeguardsContent['told'];

interface Deps {
  check: Check;
  /** POST /api/safeguards-report. */
  reportCall: Call;
  /** What a call answers to what the form says. */
  ask(call: Call, context: Context, asked: Asked): Promise<Response>;
  page(filled: Filled, told: Told): Response;
  /** The finished page that gives a reason; there may be few of those. */
  refusal(reason: string, status: number, asked: Headers): Response;
}

export function receiveCheck(app: Hono<{ Bindings: HttpBindings }>, deps: Deps): void {
  const filling = readFilled(deps.check);
  for (const path of [SAFEGUARDS.path, EMAIL_REPORT_PATH]) {
    app.post(path, async (context) => {
      const { req } = context;
      const read = await readForm(askedOf(context));
      if ('refusal' in read) return refused(deps, read.refusal, req.raw.headers);
      // Every other field answers something; what is no answer is refused with the rest of it.
      const { email = '', website = '', store = '', ...answers } = read.fields;
      const shown = await deps.ask(filling, context, asJson(req, { answers, store }));
      if (!shown.ok) return refused(deps, shown, req.raw.headers);
      const kept: Filled = await shown.json();
      if (path === SAFEGUARDS.path) return deps.page(kept, null);
      const body = { email, answers: kept.answers, website };
      const sent = await deps.ask(deps.reportCall, context, asJson(req, body));
      if (!sent.ok) return refused(deps, sent, req.raw.headers);
      return deps.page(kept, { kind: 'success', text: 'The report is on its way to you.' });
    });
  }
}

async function refused({ refusal }: Deps, answered: Response, asked: Headers): Promise<Response> {
  const { message = '' }: { message?: string } = await answered.json();
  const wait = answered.headers.get('retry-after');
  const seconds = Number(wait);
  // Of a day the call's own words say more.
  const brief = seconds > 0 && seconds <= 60 * 60;
  const reason = brief ? `Too many requests. ${tryAgain(roughly(seconds))}` : message;
  const page = refusal(reason, answered.status, asked);
  if (wait !== null) page.headers.set('Retry-After', wait);
  return page;
}
