/** GET /api/services, /api/solutions and /api/plans, and the call that lets plan features follow the content. */
import type { Kysely } from 'kysely';
import { ContentReader } from '../platform/content-file.server.ts';
import { addressOf } from '../platform/contract.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { refuse } from '../platform/http/answer.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import type { FinishedAnswer } from '../platform/http/finished/finished-answer.server.ts';
import { logEvent } from '../platform/log.server.ts';
import { planRows, plansSchema, serviceRows, solutionRows, updatedPlans } from './catalogue.ts';
import { LIST_PLANS, LIST_SERVICES, LIST_SOLUTIONS, UPDATE_PLANS } from './catalogue-contracts.ts';
import { storePlanFeatures } from './catalogue-store.server.ts';
import type { LiveCatalogue } from './live-catalogue.server.ts';

interface Deps {
  db: Kysely<Tables>;
  catalogue: LiveCatalogue;
  /** The lists as they are sent, by their address. */
  lists(path: string): FinishedAnswer | undefined;
  contentFolder: string;
}

export function catalogueCalls(deps: Deps): Call[] {
  /** As a visitor gets it whose request needs the framework. */
  const list = (contract: Parameters<typeof addressOf>[0]) => ({
    access: 'anyone' as const,
    handle: ({ headers }: { headers: Headers }) =>
      deps.lists(addressOf(contract))?.response(headers) ??
      refuse(404, 'There is nothing at this address'),
  });
  return [
    call(LIST_SERVICES, { ...list(LIST_SERVICES), answer: serviceRows }),
    call(LIST_SOLUTIONS, { ...list(LIST_SOLUTIONS), answer: solutionRows }),
    call(LIST_PLANS, { ...list(LIST_PLANS), answer: planRows }),
    updatePlans(deps),
  ];
}

/** How often an anonymous call may cause a look at the files, in milliseconds. */
const UPDATE_PAUSE_MS = 10_000;

/** How many plans were rewritten, or that the files are not valid. */
type Outcome = number | 'broken';

/** Anyone may call it, so it takes no input, runs once at a time, and writes nothing when nothing differs. */
function updatePlans({ db, catalogue, contentFolder }: Deps): Call {
  let last: { startedAt: number; running: boolean; outcome: Promise<Outcome> } | undefined;

  async function update(): Promise<Outcome> {
    const reader = new ContentReader(contentFolder);
    const plans = reader.json('catalogue/plans.json', plansSchema);
    if (!plans) {
      logEvent('error', 'plans-not-updated', { faults: reader.faults });
      return 'broken';
    }
    const updated = await storePlanFeatures(db, plans);
    if (updated > 0) await catalogue.fresh();
    return updated;
  }

  /** A failure is remembered as well: a database that is away is not asked more often than one that answers. */
  async function outcome(): Promise<Outcome> {
    const known = last;
    if (known?.running) return known.outcome;
    if (known && performance.now() - known.startedAt < UPDATE_PAUSE_MS)
      return (await known.outcome) === 'broken' ? 'broken' : 0;
    const started = { startedAt: performance.now(), running: true, outcome: update() };
    last = started;
    return started.outcome.finally(() => {
      started.running = false;
    });
  }

  return call(UPDATE_PLANS, {
    access: 'anyone',
    limit: null,
    answer: updatedPlans,
    handle: async () => {
      const updated = await outcome();
      return updated === 'broken'
        ? refuse(503, 'The plans can’t be updated right now', { retryAfter: 60 })
        : { success: true, updated };
    },
  });
}
