/** SQLite's disk fills: staff hear of it in time, and orders get what is left. */
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { SAMPLE_MESSAGE, SAMPLE_ORDER } from '../../support/call-row.ts';
import { eventually } from '../../support/eventually.ts';
import { FakeTeams } from '../../support/fake-teams.ts';
import { ownTestApp } from '../../support/test-app.ts';
import { smallDisk } from './small-disk.ts';

test.runIf(inject('engine') === 'sqlite')(
  'while the disk fills, staff are notified once, then who writes is asked to call, and who buys buys',
  async ({ skip }) => {
    const disk = smallDisk(900);
    if (!disk) return skip('only root can make a small disk');
    onTestFinished(disk.remove);
    const teams = await FakeTeams.start();
    onTestFinished(() => teams.stop());
    vi.useFakeTimers({ toFake: ['setInterval'] });
    const app = await ownTestApp({ DATA_DIR: disk.folder, ...teams.variables });
    await eventually(() => expect(app.site.isStarted()).toBe(true));
    const notices = () =>
      teams.accepted.filter((card) => /Only \d+ MB are free/.test(JSON.stringify(card))).length;
    const minute = () => vi.advanceTimersByTime(60_000);
    const write = () => app.visitor().post('/api/contact', SAMPLE_MESSAGE);
    await expect.poll(notices).toBe(1);

    disk.remount('size=150m');
    minute();
    const refusal = {
      status: 503,
      json: { message: 'We can’t take messages right now. Please call (800) 555-0199.' },
    };
    const refused = await write();
    expect([refused, refused.headers.get('retry-after')]).toMatchObject([refusal, '3600']);
    expect(await app.visitor().post('/api/teams-chat', SAMPLE_MESSAGE)).toMatchObject(refusal);
    const bought = await app.visitor().post('/api/create-payment-intent', SAMPLE_ORDER);
    expect(bought.status).toBe(200);
    expect(notices()).toBe(1);

    for (const size of ['size=1200m', 'size=900m', 'size=2000m'] as const) {
      disk.remount(size);
      minute();
      expect((await write()).status).toBe(200);
    }
    const told = app.database.db.selectFrom('outbox').select('id').where('kind', '=', 'disk-low');
    expect(await told.execute()).toHaveLength(1);
    disk.remount('size=900m');
    minute();
    await expect.poll(notices).toBe(2);
  },
);
