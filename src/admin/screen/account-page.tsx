/** /admin/account: where the account is open, and what happened at the door. */
import { Workbench } from '../../ui/workbench.tsx';
import { STAFF_PAGES } from '../staff-pages.ts';
import { AuditPanel } from './audit-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';

export default function AccountPage() {
  return (
    <Workbench
      heading={STAFF_PAGES.account.title}
      lead="Sessions expire after 12 hours, or 2 hours idle. Changing the password ends them all."
    >
      <SessionsPanel />
      <AuditPanel />
    </Workbench>
  );
}
