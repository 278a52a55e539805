/** What staff look at, with each filter, search, order and page. */
import { SAMPLE_ORDER } from './call-row.ts';
import type { Drive } from './drive-calls.ts';
import type { Visitor } from './visitor.ts';

const JANE = `find=${SAMPLE_ORDER.email}`;

/** Queries by the call's address. */
const LISTS: Record<string, readonly string[]> = {
  '/api/admin/contacts': [
    '',
    'page=1',
    'page=2',
    'page=1&mark=new',
    'page=1&service=voip',
    'page=1&service=none',
    'page=1&service=voip&mark=new',
    'page=1&find=phones',
    'page=1&find=C-2',
    'page=1&find=phones&service=voip&mark=new',
  ],
  '/api/admin/conversations': ['', 'page=2', 'mark=new', 'find=phones', 'find=T-2&mark=new'],
  '/api/admin/inbox/counts': ['', 'service=voip', 'service=none', 'find=phones&service=voip'],
  '/api/admin/orders': [
    '',
    'page=2',
    'status=canceled',
    'find=jane',
    'find=O-2',
    'find=jane+essential&status=canceled',
  ],
  '/api/admin/quotes': ['', 'page=2', 'state=open', 'find=jane', 'find=Q-2&state=expired'],
  '/api/admin/orders/download': ['', 'status=canceled', 'find=jane'],
  '/api/admin/outbox': [''],
  '/api/admin/audit': ['', 'page=2'],
  '/api/admin/people': [JANE, 'find=j%C3%A4ne@dealer.example'],
  '/api/admin/people/download': [JANE],
  '/api/admin/logs': [''],
  '/api/admin/logs/analytics': [''],
  '/api/admin/logs/download': [''],
};

export async function driveLists(staff: Visitor, drive: Drive): Promise<void> {
  for (const [path, queries] of Object.entries(LISTS)) {
    for (const query of queries) {
      const address = query ? `${path}?${query}` : path;
      await drive(`GET ${address}`, () => staff.move().get(address));
    }
  }
}
