/** The self-check without script: the answers come as a form, and a page shows what they come to. Nothing is kept. */
import * as z from 'zod/mini';
import { contract } from '../platform/contract.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call, type Form } from '../platform/http/call.server.ts';
import type { Limit } from '../platform/http/rate-limit.server.ts';
import { type Check, type Filled, type SafeguardsContent, SEND_REPORT, sentForm } from './check.ts';
import { hasUnknown, NO_SUCH_QUESTION } from './email-report.server.ts';
import { EMAIL_REPORT_PATH, SAFEGUARDS } from './safeguards-address.ts';

/** Each one that is accepted is a rendering. */
const LIMIT: Limit = {
  name: 'safeguards-check',
  rules: [
    { calls: 20, seconds: 60 },
    { calls: 200, seconds: 60 * 60 },
  ],
};

/** Asked through the forms alone; no address leads to them. */
const FILL = contract('POST /api/safeguards-check', { body: sentForm, answer: sentForm });
const FILL_AND_SEND = contract('POST /api/safeguards-check-report', {
  body: z.extend(SEND_REPORT.body, { store: sentForm.shape.store }),
  answer: sentForm,
});

interface Deps {
  check: Check;
  /** POST /api/safeguards-report. */
  reportCall: Call;
  page(filled: Filled, notice: SafeguardsContent['notice']): Promise<Response>;
  /** The finished page that gives a reason; there may be few of those. */
  refusal(reason: string, status: number, headers: Headers): Promise<Response>;
}

export function checkForms({ check, reportCall, page, refusal }: Deps): Form[] {
  const fill = call(FILL, {
    access: 'anyone',
    limit: LIMIT,
    handle: ({ body, accept }) => {
      if (hasUnknown(check, body.answers)) return refuse(400, NO_SUCH_QUESTION);
      accept();
      return body;
    },
  });
  const fillAndSend = call(FILL_AND_SEND, {
    access: 'anyone',
    limit: reportCall.limit,
    async handle({ body: { store, ...body }, ...request }) {
      const sent = await reportCall.handle({ ...request, body });
      if (!sent.ok) return sent;
      // Also of a program, whose report is not sent: its page is drawn all the same.
      request.accept();
      return { answers: body.answers, store };
    },
  });
  const sent = { kind: 'success', text: 'The report is on its way to you.' } as const;
  const pageOf = (notice: SafeguardsContent['notice']): Pick<Form, 'page'> => ({
    page: ({ ok, json, reason, status, headers }) =>
      ok ? page(json, notice) : refusal(reason, status, headers),
  });
  return [
    {
      path: SAFEGUARDS.path,
      call: fill,
      // Every other field answers something; what is no answer is refused with the rest of it.
      toBody: ({ email: _, website: __, store = '', ...answers }) => ({ answers, store }),
      ...pageOf(null),
    },
    {
      path: EMAIL_REPORT_PATH,
      call: fillAndSend,
      toBody: ({ email = '', website = '', store = '', ...answers }) => ({
        ...{ email, website, answers, store },
      }),
      ...pageOf(sent),
    },
  ];
}
