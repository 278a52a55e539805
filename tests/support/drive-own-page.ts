/** All that a customer does on their own page, and staff with the test gateway's time. */
import type { Drive } from './drive-calls.ts';
import { customer, NO_BACKUP, shownBy } from './own-page.ts';
import type { TestApp } from './test-app.ts';
import type { Visitor } from './visitor.ts';

export async function driveOwnPage(app: TestApp, drive: Drive): Promise<void> {
  const { visitor, token, orderId } = await customer(app);
  const ask = async (what: string, body: object = {}) => {
    const path = `/api/order-page/${what}`;
    return (await drive(`POST ${path}`, () => visitor.move().post(path, { token, ...body }))).json;
  };
  await ask('account');
  const wanted = { users: 12, backup: true, from: NO_BACKUP };
  const change = { ...wanted, ...shownBy(await ask('preview', wanted)) };
  await ask('change', change);
  await ask('change', change);
  await ask('cancel');
  await ask('keep');
  await ask('address', { address: '12 Peachtree Street' });
  const { clientSecret } = await ask('card');
  const card = { clientSecret, token: 'succeeds' };
  for (const what of ['confirm', 'retrieve']) {
    const path = `/api/test-payments/${what}`;
    const body = what === 'confirm' ? card : { clientSecret };
    await drive(`POST ${path} a card`, () => visitor.move().post(path, body));
  }
  await ask('card/use', { clientSecret });
  const staff = await app.staff();
  const asStaff = async (what: string) => {
    const path = `/api/admin/orders/${orderId}/${what}`;
    const asked = () => staff.move().post(path);
    return (await drive(`POST /api/admin/orders/:id/${what}`, asked)).json;
  };
  const { url } = await asStaff('link');
  await ask('open', { access: url.split('/access/')[1] });
  await asStaff('revoke-links');
  const links = '/api/order-page/links';
  const email = 'jane@dealer.example';
  await drive(`POST ${links}`, () => app.visitor().post(links, { email }));
}

export async function driveTestClock(staff: Visitor, drive: Drive): Promise<void> {
  const path = '/api/admin/test-clock';
  const { json } = await drive(`GET ${path}`, () => staff.move().get(path));
  await drive(`POST ${path}/ahead`, () => staff.move().post(`${path}/ahead`, { now: json.now }));
}
