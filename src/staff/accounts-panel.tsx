/** On the account page: everyone who has signed in. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { callQuery } from '../platform/browser/query-client.ts';
import { fetchCall } from '../platform/fetch-call.ts';
import { useSite } from '../platform/site.ts';
import { ActionButton } from '../ui/action-button.tsx';
import { Panel } from '../ui/admin-page-layout.tsx';
import { Badge } from '../ui/badge.tsx';
import { CallForm } from '../ui/call-form.tsx';
import { LocalTime } from '../ui/local-time.tsx';
import { Notice } from '../ui/notice.tsx';
import { Skeleton } from '../ui/skeleton.tsx';
import { useLogin } from './login.tsx';
import {
  BLOCK_ACCOUNT,
  LIST_ACCOUNTS,
  publicName,
  SET_PUBLIC_NAME,
  type StaffAccount,
} from './staff-api.ts';

export function PublicNamePanel() {
  const own = useQuery(callQuery(LIST_ACCOUNTS)).data?.find(({ current }) => current);
  const queryClient = useQueryClient();
  const { supportName } = useSite().company;
  if (!own) return null;
  return (
    <Panel heading="Your name for customers">
      {own.work && (
        <p className="text-sm">{`Customers read “${own.publicName ?? supportName}”, as your work account has it.`}</p>
      )}
      {!own.work && own.publicName === null && (
        <p className="mb-3 text-sm">{`Until you set it, customers read “${supportName}” above your answers.`}</p>
      )}
      {!own.work && (
        <CallForm
          label="Your name for customers"
          schema={publicName}
          read={(field) => ({ name: field('name') })}
          save={async (body) => {
            await fetchCall(SET_PUBLIC_NAME, { body });
            return body.name;
          }}
          onSaved={() => queryClient.invalidateQueries()}
          button="Save"
          className="max-w-sm"
        >
          {(field, saved) => (
            <>
              {field('Name', 'name', { defaultValue: own.publicName ?? '', autoComplete: 'name' })}
              {saved && <Notice kind="success">{`Customers read “${saved}” from now on.`}</Notice>}
            </>
          )}
        </CallForm>
      )}
    </Panel>
  );
}

export function AccountsPanel() {
  const { data: accounts, isError } = useQuery(callQuery(LIST_ACCOUNTS));
  const { hasWorkAccounts } = useLogin();
  return (
    <Panel heading="Who has signed in">
      <p className="mb-2 max-w-text text-sm empty:hidden">
        {hasWorkAccounts
          ? 'Colleagues sign in with their work accounts, so no one is added here. Your identity provider decides who may.'
          : accounts?.every(({ work }) => !work) &&
            'Colleagues share one account here. To let one in, pass on the username and password, and scan the authenticator’s code with their phone too when you set it up. For an account each, ask the person who runs this site to connect Microsoft, Google, or Okta (“Sign-in with work accounts” in its operations guide).'}
      </p>
      {isError && <Notice kind="error">Couldn’t load the accounts.</Notice>}
      {!accounts && !isError && <Skeleton className="h-14 w-full" />}
      <ul className="divide-y divide-line">
        {accounts?.map((account) => (
          <AccountRow key={account.id} account={account} />
        ))}
      </ul>
    </Panel>
  );
}

function AccountRow({ account }: { account: StaffAccount }) {
  const { id, name, email, work, signedInAt, blocked, current } = account;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5 text-sm">
      <span className="min-w-0 flex-1 basis-64">
        <bdi className="block truncate font-medium text-ink">{name}</bdi>
        <span className="block truncate text-muted">
          <span>{work ? 'Work account' : 'Password'}</span>
          {email && email !== name && <bdi>{` · ${email}`}</bdi>}
        </span>
      </span>
      <span className="text-muted">
        last signed in <LocalTime at={signedInAt} />
      </span>
      {current && <Badge tone="primary">Your account</Badge>}
      {blocked && <Badge tone="danger">Blocked here</Badge>}
      {!current && work && (
        <ActionButton
          aria-label={`${blocked ? 'Unblock' : 'Block here'}: ${name}`}
          act={() => fetchCall(BLOCK_ACCOUNT, { params: { id }, body: { blocked: !blocked } })}
        >
          {blocked ? 'Unblock' : 'Block here'}
        </ActionButton>
      )}
    </li>
  );
}
