import { expect, test } from 'vitest';
import { captureLog } from '../../../tests/support/logged.ts';
import { CannotStart } from '../config/cannot-start.server.ts';
import { DatabaseUnavailable } from '../database/database-unavailable.server.ts';
import { answerFault } from './answer.server.ts';

test.each([
  ['timeout exceeded when trying to connect', {}],
  ['Connection terminated unexpectedly', {}],
  ['Query read timeout', {}],
  ['EIO: i/o error, read', { code: 'EIO', syscall: 'read' }],
  ['connect ECONNREFUSED 127.0.0.1:25', { code: 'ECONNREFUSED', syscall: 'connect' }],
  ['ENOENT: no such file or directory', { code: 'ENOENT', syscall: 'open' }],
  ['canceled', { code: '57014' }],
  ['disk I/O error', { code: 'ERR_SQLITE_ERROR', errcode: 10 }],
])(
  'a bug whose error says ‘%s’ is answered 500 and logged with its stack, unlike an absent database',
  (message, fields) => {
    const log = captureLog();
    const error = Object.assign(new Error(message), fields);
    for (const bug of [error, new AggregateError([error]), new CannotStart(message)]) {
      expect(answerFault(bug, '/api/plans', {}).status).toBe(500);
      expect(log.lines.at(-1)).toMatchObject({ event: 'call-failed', stack: bug.stack });
    }
    expect(answerFault(new DatabaseUnavailable(error), '/api/plans', {}).status).toBe(503);
  },
);
