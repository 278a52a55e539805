/** Another number of users, with or without backup: the price first, then the word of the customer. */
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { MAX_USERS, readCount, WRONG_USERS } from '../catalogue/user-count.ts';
import { reasonOf } from '../platform/fetch-call.ts';
import { formatDollars, toDollars } from '../platform/money.ts';
import { fetchCall } from '../platform/old/fetch-call.ts';
import { randomId } from '../platform/random-id.ts';
import { Button } from '../ui/button.tsx';
import { Checkbox } from '../ui/fields/checkbox.tsx';
import { Field } from '../ui/fields/field.tsx';
import { TextInput } from '../ui/fields/text-input.tsx';
import { Notice } from '../ui/notice.tsx';
import { CHANGE_PLAN, PREVIEW_CHANGE } from './account-contracts.ts';
import { NewPrice } from './new-price.tsx';
import { readAccount, readPreview, type ToldPreview } from './read-account.ts';
import { type AccountPart, NOT_DONE } from './use-account.ts';

interface ChangeFormProps extends AccountPart {
  onClose: (done: string | null) => void;
}

interface Shown {
  preview: ToldPreview;
  users: number;
  key: string;
}

export function ChangeForm({ token, account, acting, onClose }: ChangeFormProps) {
  const { order, backupPrice } = account;
  const [from, setFrom] = useState({ users: order.ms365Users, backup: order.includeCloudBackup });
  const [users, setUsers] = useState(String(order.ms365Users));
  const [backup, setBackup] = useState(order.includeCloudBackup);
  const [fault, setFault] = useState<string | null>(null);
  const [shown, setShown] = useState<Shown | null>(null);
  const [asking, setAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  /** What was shown is about something else now. */
  function change(act: () => void) {
    act();
    setShown(null);
    setProblem(null);
    setFault(null);
  }

  async function look(event: FormEvent) {
    event.preventDefault();
    const count = readCount(users.trim(), MAX_USERS);
    if (count === undefined) {
      setFault(WRONG_USERS);
      field.current?.focus();
      return;
    }
    setAsking(true);
    setProblem(null);
    try {
      const body = { token, users: count, backup, from };
      const preview = await fetchCall(PREVIEW_CHANGE, readPreview, { body });
      setShown({ preview, users: count, key: randomId() });
    } catch (error) {
      await lookAgain();
      setProblem(reasonOf(error, NOT_DONE));
    } finally {
      setAsking(false);
    }
  }

  /** From now on the change is one of what holds. */
  async function lookAgain() {
    const now = await acting.look();
    if (now) setFrom({ users: now.order.ms365Users, backup: now.order.includeCloudBackup });
  }

  async function confirm({ preview, users: count }: Shown) {
    const body = {
      token,
      users: count,
      backup,
      from,
      at: preview.at,
      next: toDollars(preview.next.total),
    };
    const why = await acting.act('change', () => fetchCall(CHANGE_PLAN, readAccount, { body }));
    if (why === null) return onClose('Your plan has changed.');
    await lookAgain();
    setShown(null);
    setProblem(why);
  }

  const perUser = order.lines.find(({ kind }) => kind === 'backup')?.unitPrice ?? backupPrice;
  return (
    <form noValidate onSubmit={look} aria-label="Change your plan" className="grid max-w-md gap-4">
      <Field label="Users" error={fault ?? undefined} hint="From 1 to 1,000">
        {(control) => (
          <TextInput
            {...control}
            ref={field}
            inputMode="numeric"
            autoComplete="off"
            value={users}
            onChange={({ target }) => change(() => setUsers(target.value))}
            className="max-w-40 tabular-nums"
          />
        )}
      </Field>
      <Checkbox
        checked={backup}
        onChange={({ target }) => change(() => setBackup(target.checked))}
        label="Cloud backup"
        detail={`${formatDollars(perUser)} per user a month`}
      />
      {shown && <NewPrice key={shown.key} preview={shown.preview} account={account} />}
      {problem && <Notice kind="error">{problem}</Notice>}
      <div className="flex flex-wrap gap-3">
        {shown ? (
          <Button key="confirm" busy={acting.busy === 'change'} onClick={() => confirm(shown)}>
            Confirm change
          </Button>
        ) : (
          <Button key="look" type="submit" busy={asking}>
            See the new price
          </Button>
        )}
        <Button variant="quiet" disabled={acting.busy !== null} onClick={() => onClose(null)}>
          Back
        </Button>
      </div>
    </form>
  );
}
