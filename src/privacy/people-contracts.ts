/** What staff ask about a person. */
import type { Contract } from '../platform/old/contract.ts';
import type { erased, eraseRequest, person } from './person-shapes.ts';

/** The query is a personQuery. */
export const FIND_PERSON: Contract<null, typeof person> = 'GET /api/admin/people';
/** A file of JSON with everything. */
export const DOWNLOAD_PERSON: Contract = 'GET /api/admin/people/download';
export const ERASE_PERSON: Contract<typeof eraseRequest, typeof erased> =
  'POST /api/admin/people/erase';
