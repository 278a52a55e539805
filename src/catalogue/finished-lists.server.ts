/** The lists of the catalogue as they are sent: made once for each change of the catalogue, not for each request. */
import type * as z from 'zod/mini';
import { addressOf, type Contract } from '../platform/contract.ts';
import { JSON_TYPE } from '../platform/http/answer.server.ts';
import {
  type FinishedAnswer,
  finishedText,
} from '../platform/http/finished/finished-answer.server.ts';
import { FinishedCache } from '../platform/http/finished/finished-cache.server.ts';
import { type Cents, toDollars } from '../platform/money.ts';
import type { InDollars } from './catalogue.ts';
import { LIST_PLANS, LIST_SERVICES, LIST_SOLUTIONS } from './catalogue-contracts.ts';
import type { LiveCatalogue } from './live-catalogue.server.ts';

/** Gives what stands at an address; undefined where there is no list. `headers`: those of every call. */
export function finishedLists(
  catalogue: Pick<LiveCatalogue, 'current' | 'version'>,
  headers: Readonly<Record<string, string>>,
): (path: string) => FinishedAnswer | undefined {
  const cache = new FinishedCache();
  const lists = new Map([
    list(LIST_SERVICES, () => catalogue.current().services.map(inDollars)),
    list(LIST_SOLUTIONS, () => catalogue.current().solutions),
    list(LIST_PLANS, () => catalogue.current().plans.map(inDollars)),
  ]);
  return (path) => {
    const rows = lists.get(path);
    return (
      rows &&
      cache.get(path, catalogue.version(), () =>
        finishedText(JSON.stringify(rows()), { ...headers, ...JSON_TYPE }),
      )
    );
  };
}

function list<Answer extends z.ZodMiniType>(
  contract: Contract<null, Answer>,
  rows: () => z.input<Answer>,
): [path: string, rows: () => unknown] {
  return [addressOf(contract), rows];
}

/** A row as it travels in JSON. */
export function inDollars<Row extends { price: Cents }>(row: Row): InDollars<Row> {
  return { ...row, price: toDollars(row.price) };
}
