/** /admin/account: where the account is open, and what happened at the door. */

import { Workbench } from '../ui/workbench.tsx';
import { AuditPanel } from './audit-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { STAFF_PAGES } from './staff-pages.ts';

export default function AccountPage() {
  return (
    <Workbench
      heading={STAFF_PAGES.account.title}
      lead="A session ends by itself after 12 hours, or after two without use. A new password ends all of them."
    >
      <SessionsPanel />
      <AuditPanel />
    </Workbench>
  );
}
