import { expect, inject } from 'vitest';
import { tryOutbox } from '../../support/outbox-trial.ts';
import { testInTurn } from '../../support/sized.ts';
import { testDatabase } from '../../support/test-app.ts';

testInTurn(1)(
  '50 messages, receivers that fail three times in ten, servers killed three times: none is lost',
  {
    timeout: 180_000,
  },
  async () => {
    const ground = await testDatabase();
    const servers = inject('engine') === 'postgres' ? 2 : 1;
    const report = await tryOutbox({
      messages: 50,
      servers,
      kills: 3,
      mostFailures: 2,
      database: ground.variables,
      patienceMs: 150_000,
    });
    expect(report).toMatchObject({
      kills: 3,
      lost: [],
      unexplainedDoubles: [],
      outOfOrder: [],
      setAside: 0,
    });
    expect(report.acknowledged).toBeGreaterThan(35);
    // One delivery of each channel may be under way at once in each server.
    expect(report.mostCutOff).toBeLessThanOrEqual(3 * servers);
    await ground.drop();
  },
);
