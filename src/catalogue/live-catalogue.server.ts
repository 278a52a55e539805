/**
 * The catalogue as pages and calls see it: that of the content until the database has taken it over, then read from
 * there and kept in memory, so that a database that is away takes neither the pages nor the lists with it. GET
 * /api/services, /api/solutions and /api/plans are made once for each change of it and not for each request; one more call
 * lets plan features follow the content.
 */
import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type * as z from 'zod/mini';
import { ContentReader } from '../platform/config/content-file.server.ts';
import { addressOf, type Contract, type Schema } from '../platform/contract.ts';
import type { Tables } from '../platform/database/tables.server.ts';
import { JSON_TYPE, refuse } from '../platform/http/answer.server.ts';
import { type Call, call } from '../platform/http/call.server.ts';
import { FinishedAnswers, finishedText } from '../platform/http/finished-answer.server.ts';
import { logEvent } from '../platform/log.server.ts';
import { inDollars, type Plan } from './catalogue.ts';
import { LIST_PLANS, LIST_SERVICES, LIST_SOLUTIONS, UPDATE_PLANS } from './catalogue-api.ts';
import { plansSchema } from './catalogue-content.server.ts';
import {
  type Catalogue,
  readCatalogue,
  readPlan,
  storeCatalogue,
  storePlanFeatures,
} from './catalogue-store.server.ts';
import type { AddOnPrices } from './pricing.ts';

/** After this time the database is read again, for another instance or an operator may have changed it. */
const STALE_MS = 1_000;

/** What is charged for today: a plan as it stands in the database, and the add-ons. */
export interface CurrentPrices {
  findPlan(id: number): Promise<Plan | undefined>;
  addOnPrices(): AddOnPrices;
}

export type LiveCatalogue = ReturnType<typeof liveCatalogue>;

export function liveCatalogue(
  db: Kysely<Tables>,
  { services, solutions, plans, testimonials }: Catalogue,
) {
  const content = { services, solutions, plans, testimonials };
  let catalogue: Catalogue = content;
  let version = hash(catalogue);
  let stored = false;
  let asked = 0;
  let kept = 0;
  let reading = false;
  let readAt = 0;
  let away = false;
  async function read(): Promise<void> {
    asked += 1;
    const turn = asked;
    try {
      const found = await readCatalogue(db);
      // A look that nobody waits for any more may end after a later one.
      if (turn < kept) return;
      kept = turn;
      catalogue = found;
      version = hash(catalogue);
      away = false;
    } catch (error) {
      if (!away) logEvent('warn', 'catalogue-from-memory', { message: String(error) });
      away = true;
    }
  }

  /** In the background: what is known is answered meanwhile. */
  async function readIfStale(): Promise<void> {
    if (!stored || reading || performance.now() - readAt < STALE_MS) return;
    reading = true;
    await read();
    readAt = performance.now();
    reading = false;
  }

  return {
    /** As it was last read. */
    current() {
      void readIfStale();
      return catalogue;
    },
    /** Changes whenever the catalogue does. */
    version() {
      void readIfStale();
      return version;
    },
    /** Makes the database follow the content, then reads it back; for the start. */
    async store(): Promise<void> {
      await storeCatalogue(db, content);
      catalogue = await readCatalogue(db);
      version = hash(catalogue);
      readAt = performance.now();
      stored = true;
    },
    /** Reads it at once: it has just been changed. */
    async refresh(): Promise<void> {
      // What the database still holds may be an earlier content's.
      if (stored) await read();
    },
    /** As it stands in the database now, for what somebody is about to be charged. */
    async findPlan(id: number): Promise<Plan | undefined> {
      return stored ? readPlan(db, id) : content.plans.find((plan) => plan.id === id);
    },
  };
}

function hash(catalogue: Catalogue): string {
  return createHash('sha256').update(JSON.stringify(catalogue)).digest('base64url');
}

export const LIST_PATHS = [LIST_SERVICES, LIST_SOLUTIONS, LIST_PLANS].map((list) =>
  addressOf(list),
);

/** The lists as they are sent, by their address. `headers`: those of every call. */
export function finishedLists(
  catalogue: Pick<LiveCatalogue, 'current' | 'version'>,
  headers: Readonly<Record<string, string>>,
) {
  const lists = new Map([
    list(LIST_SERVICES, () => catalogue.current().services.map(inDollars)),
    list(LIST_SOLUTIONS, () => catalogue.current().solutions),
    list(LIST_PLANS, () => catalogue.current().plans.map(inDollars)),
  ]);
  return new FinishedAnswers(catalogue.version, (path) =>
    finishedText(JSON.stringify(lists.get(path)?.()), { ...headers, ...JSON_TYPE }),
  );
}

function list<Answer extends Schema>(
  contract: Contract<null, Answer>,
  rows: () => z.input<Answer>,
): [path: string, rows: () => unknown] {
  return [addressOf(contract), rows];
}

interface Deps {
  db: Kysely<Tables>;
  catalogue: LiveCatalogue;
  /** The lists as they are sent, by their address. */
  lists: FinishedAnswers;
  contentFolder: string;
}

export function catalogueCalls(deps: Deps): Call[] {
  /** As a visitor gets it whose request needs the framework. */
  const lists = [LIST_SERVICES, LIST_SOLUTIONS, LIST_PLANS].map((contract) =>
    call<null, Schema, 'anyone'>(contract, {
      access: 'anyone',
      handle: async ({ headers }) => (await deps.lists.get(contract.path)).response(headers),
    }),
  );
  return [...lists, updatePlans(deps)];
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
    if (updated > 0) await catalogue.refresh();
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
    handle: async () => {
      const updated = await outcome();
      return updated === 'broken'
        ? refuse(503, 'The plans can’t be updated right now', { retryAfter: 60 })
        : { success: true as const, updated };
    },
  });
}
