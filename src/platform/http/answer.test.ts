import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '../database/database-unavailable.server.ts';
import { refuseFault } from './answer.server.ts';

test.each(['ENOENT', 'EACCES', 'EMFILE', 'EPIPE'])(
  'an unexpected %s in a call is answered 500, not 503 as if the database were unavailable',
  (code) => {
    const error = Object.assign(new Error('no such file'), { code });
    expect(refuseFault(error, '/api/plans', {}).status).toBe(500);
    expect(refuseFault(new DatabaseUnavailable(code), '/api/plans', {}).status).toBe(503);
  },
);
