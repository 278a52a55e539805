import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '../database/database-unavailable.server.ts';
import { answerFault } from './answer.server.ts';

test.each(['ENOENT', 'EACCES', 'EMFILE', 'EPIPE'])(
  'an unexpected %s in a call is answered 500, not 503 as if the database were unavailable',
  (code) => {
    const error = Object.assign(new Error('no such file'), { code });
    expect(answerFault(error, '/api/plans', {}).status).toBe(500);
    expect(answerFault(new DatabaseUnavailable(code), '/api/plans', {}).status).toBe(503);
  },
);
