import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '../database/database-unavailable.server.ts';
import { refuseFault } from './answer.server.ts';

test.each(['ENOENT', 'EACCES', 'EMFILE', 'EPIPE'])(
  'a call that fails with %s of its own is a fault, not a database that is away',
  (code) => {
    const error = Object.assign(new Error('no such file'), { code });
    expect(refuseFault(error, '/api/plans', {}).status).toBe(500);
    expect(refuseFault(new DatabaseUnavailable(code), '/api/plans', {}).status).toBe(503);
  },
);
