/** Orders as CSV for a spreadsheet, streamed; what a stranger typed is never a formula there. */
import { textCell } from '../../platform/http/csv-cell.server.ts';
import { csvDownload } from '../../platform/http/csv-download.server.ts';
import type { Order } from '../order-store.server.ts';

/** The columns in their order, and what stands in each. */
const CELLS: Record<string, (order: Order) => string | number> = {
  id: ({ id }) => id,
  createdAt: ({ createdAt }) => new Date(createdAt).toISOString(),
  name: ({ name }) => name,
  email: ({ email }) => email,
  phone: ({ phone }) => phone ?? '',
  company: ({ company }) => company ?? '',
  plan: ({ planName }) => planName,
  ms365Option: ({ ms365Option }) => ms365Option,
  ms365Users: ({ ms365Users }) => ms365Users,
  cloudBackup: ({ includeCloudBackup }) => String(includeCloudBackup === 1),
  monthlyAmount: ({ amountCents }) => (amountCents / 100).toFixed(2),
  status: ({ status }) => status,
  refunded: ({ refundedCents }) => (refundedCents / 100).toFixed(2),
  dispute: ({ dispute }) => dispute ?? '',
  endsAt: ({ endsAt }) => (endsAt === null ? '' : new Date(endsAt).toISOString()),
  subscription: ({ subscriptionId }) => subscriptionId ?? '',
};

export function ordersCsv(chunks: AsyncIterable<Order[]>): Response {
  return csvDownload('orders', `${Object.keys(CELLS).join(',')}\r\n`, csvLines(chunks));
}

async function* csvLines(chunks: AsyncIterable<Order[]>): AsyncGenerator<string> {
  for await (const orders of chunks) yield orders.map(csvLine).join('');
}

function csvLine(order: Order): string {
  const cells = Object.values(CELLS).map((cell) => cell(order));
  return `${cells.map((cell) => (typeof cell === 'number' ? cell : textCell(cell))).join(',')}\r\n`;
}
