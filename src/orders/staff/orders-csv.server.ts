/** Orders as CSV for a spreadsheet, streamed; what a stranger typed is never a formula there. */
import { textCell } from '../../platform/http/csv-cell.server.ts';
import { csvDownload } from '../../platform/http/csv-download.server.ts';
import { orderRow } from '../order-calls.server.ts';
import type { Order } from '../order-store.server.ts';

/** The columns in their order, and what stands in each. */
const CELLS: Record<string, (row: ReturnType<typeof orderRow>, order: Order) => string | number> = {
  id: ({ id }) => id,
  createdAt: ({ createdAt }) => createdAt,
  name: ({ name }) => name,
  email: ({ email }) => email,
  phone: ({ phone }) => phone ?? '',
  company: ({ company }) => company ?? '',
  plan: ({ planName }) => planName,
  ms365Option: ({ ms365Option }) => ms365Option,
  ms365Users: ({ ms365Users }) => ms365Users,
  cloudBackup: ({ includeCloudBackup }) => String(includeCloudBackup),
  monthlyAmount: ({ amount }) => amount.toFixed(2),
  status: ({ status }) => status,
  refunded: ({ refunded }) => refunded.toFixed(2),
  dispute: ({ dispute }) => dispute ?? '',
  endsAt: ({ endsAt }) => endsAt ?? '',
  subscription: (_row, { subscriptionId }) => subscriptionId ?? '',
};

export function ordersCsv(pieces: AsyncIterable<Order[]>): Response {
  return csvDownload('orders', `${Object.keys(CELLS).join(',')}\r\n`, csvLines(pieces));
}

async function* csvLines(pieces: AsyncIterable<Order[]>): AsyncGenerator<string> {
  for await (const orders of pieces) yield orders.map(csvLine).join('');
}

function csvLine(order: Order): string {
  const row = orderRow(order);
  const cells = Object.values(CELLS).map((cell) => cell(row, order));
  return `${cells.map((cell) => (typeof cell === 'number' ? cell : textCell(cell))).join(',')}\r\n`;
}
