/** The authenticator on the account page: set up, given new recovery codes, removed. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { encode } from 'uqr';
import { callQuery } from '../platform/browser/query-client.ts';
import { fetchCall, reasonOf } from '../platform/fetch-call.ts';
import { useSite } from '../platform/site.ts';
import { useLogin, useUsername } from '../staff/login.tsx';
import { Panel } from '../ui/admin-page-layout.tsx';
import { Badge } from '../ui/badge.tsx';
import { Button, PrintButton } from '../ui/button.tsx';
import { CallForm } from '../ui/call-form.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { CopyButton } from '../ui/link-to-copy.tsx';
import { Notice } from '../ui/notice.tsx';
import { usePress } from '../ui/presses.ts';
import { Skeleton } from '../ui/skeleton.tsx';
import { showToast } from '../ui/toast/toast.ts';
import {
  GET_SECOND_FACTOR,
  NEW_RECOVERY_CODES,
  NEW_SECRET,
  type Proof,
  proof,
  REMOVE,
  SET_UP,
  setUp,
} from './second-factor-api.ts';
import { CODE_INPUT, PASSWORD_INPUT } from './sign-in-page.tsx';

export function SecondFactorPanel({ required }: { required: boolean }) {
  const { data, isError } = useQuery(callQuery(GET_SECOND_FACTOR));
  const { refresh } = useLogin();
  const queryClient = useQueryClient();
  /** Just made, and shown until they are saved. */
  const [codes, setCodes] = useState<readonly string[]>();
  const isOn = data?.state === 'on';

  function showCodes({ recoveryCodes }: Made) {
    setCodes(recoveryCodes);
    void queryClient.invalidateQueries();
  }
  function finish() {
    setCodes(undefined);
    if (required) refresh();
  }
  return (
    <Panel heading="Authenticator" aside={isOn && <Badge tone="primary">On</Badge>}>
      <div className="grid gap-4 text-sm">
        {isError && <Notice kind="error">Couldn’t load this section.</Notice>}
        {!data && !isError && <Skeleton className="h-20 w-full" />}
        {codes && <RecoveryCodes codes={codes} onSaved={finish} />}
        {data?.state === 'demo' && (
          <p className="max-w-text">
            Everyone knows the demo password, so no authenticator can be set up with it: it would
            lock out all others. Set a password of your own first.
          </p>
        )}
        {data?.state === 'provider' && (
          <p className="max-w-text">
            You signed in with the company’s own account, whose settings have its second factor.
          </p>
        )}
        {!codes && data?.state === 'off' && <SetUp required={required} onSetUp={showCodes} />}
        {!codes && isOn && <SetUpAlready left={data.recoveryCodes} onMade={showCodes} />}
      </div>
    </Panel>
  );
}

interface Made {
  recoveryCodes: readonly string[];
}

function SetUp({ required, onSetUp }: { required: boolean; onSetUp: (made: Made) => void }) {
  const starting = usePress({ mutationFn: () => fetchCall(NEW_SECRET) });
  if (starting.data) return <SetUpForm {...starting.data} onSetUp={onSetUp} />;
  return (
    <>
      {required && <Notice kind="warning">Set up an authenticator to use the other pages.</Notice>}
      <p className="max-w-text">
        With an authenticator app on your phone, signing in takes your password and a code from the
        app. A stolen password alone is then not enough.
      </p>
      {starting.isError && <Notice kind="error">{reasonOf(starting.error)}</Notice>}
      <Button
        size="small"
        busy={starting.isPending}
        onClick={() => starting.mutate()}
        className="justify-self-start"
      >
        Set up an authenticator
      </Button>
    </>
  );
}

interface SetUpFormProps {
  secret: string;
  uri: string;
  onSetUp: (made: Made) => void;
}

function SetUpForm({ secret, uri, onSetUp }: SetUpFormProps) {
  return (
    <div className="grid gap-x-10 gap-y-5 sm:grid-cols-[16rem_minmax(0,24rem)]">
      <div className="grid content-start justify-items-start gap-3">
        <QrCode text={uri} />
        <p>
          Scan this with Microsoft Authenticator or another app, or{' '}
          <a href={uri} className="underline">
            open the app on this device
          </a>
          . You can also type the key into it:
        </p>
        <code className="select-all text-ink">{secret.match(/.{4}/g)?.join(' ')}</code>
      </div>
      <CallForm
        label="Set up an authenticator"
        schema={setUp}
        read={(field) => ({ secret, password: field('password'), code: field('code') })}
        save={(body) => fetchCall(SET_UP, { body })}
        onSaved={onSetUp}
        button="Turn on"
        className="content-start"
      >
        {(field) => (
          <>
            {field('Code from the app', 'code', { ...CODE_INPUT, autoFocus: true })}
            {field('Your password', 'password', PASSWORD_INPUT)}
            <p className="text-muted">All other sessions of your account will end.</p>
          </>
        )}
      </CallForm>
    </div>
  );
}

/** Dark on light in the dark theme, too: not every app reads the other way round. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const squares = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x},${y}h1v1h-1z`] : [])),
  );
  return (
    <svg
      role="img"
      aria-label="QR code for your authenticator app"
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-56 rounded-control border border-line bg-white"
    >
      <path d={squares.join('')} fill="black" />
    </svg>
  );
}

function RecoveryCodes({ codes, onSaved }: { codes: readonly string[]; onSaved: () => void }) {
  const list = useRef<HTMLUListElement>(null);
  const username = useUsername();
  const { company } = useSite();
  const selectCodes = () => list.current && getSelection()?.selectAllChildren(list.current);
  return (
    <>
      <Notice kind="warning">
        Save these recovery codes where you keep your passwords, not on the phone. You won’t see
        them again. If you lose the phone, each one signs you in once.
      </Notice>
      <div data-prints-alone className="grid gap-3">
        <p className="hidden print:block">
          {`Recovery codes for ${username} at ${company.name}. Each signs you in once.`}
        </p>
        <ul
          ref={list}
          aria-label="Recovery codes"
          className="grid w-fit gap-x-8 gap-y-1 select-all text-base text-ink sm:grid-cols-2"
        >
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button size="small" onClick={onSaved}>
          I’ve saved them
        </Button>
        <CopyButton select={selectCodes} done="The codes are copied" size="small" />
        <PrintButton size="small" />
      </div>
    </>
  );
}

function SetUpAlready({ left, onMade }: { left: number; onMade: (made: Made) => void }) {
  const { refresh } = useLogin();
  const [asking, setAsking] = useState<'codes' | 'removal'>();
  const close = () => setAsking(undefined);

  function onRemoved() {
    showToast({ title: 'Authenticator removed', description: 'The password alone signs you in.' });
    // It may be required.
    refresh();
  }
  return (
    <>
      <p className="max-w-text">
        {`Signing in takes your password and a code from your authenticator app. ${left === 1 ? '1 recovery code is left.' : `${left} recovery codes are left.`}`}
      </p>
      {left < FEW && (
        <Notice kind="warning">
          Make new recovery codes: without one, a lost phone locks you out.
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        <Button variant="quiet" size="small" onClick={() => setAsking('codes')}>
          New recovery codes…
        </Button>
        <Button variant="quiet" size="small" onClick={() => setAsking('removal')}>
          Remove…
        </Button>
      </div>
      <ProofDialog
        open={asking === 'codes'}
        onClose={close}
        title="New recovery codes"
        subtitle="The old ones stop working."
        button="Make new codes"
        save={(body) => fetchCall(NEW_RECOVERY_CODES, { body })}
        onSaved={(made) => {
          close();
          onMade(made);
        }}
      />
      <ProofDialog
        open={asking === 'removal'}
        onClose={close}
        title="Remove the authenticator"
        subtitle="The password alone will sign you in. All other sessions of your account will end."
        button="Remove"
        save={(body) => fetchCall(REMOVE, { body })}
        onSaved={onRemoved}
      />
    </>
  );
}

/** Recovery codes; fewer are worth a warning. */
const FEW = 3;

interface ProofDialogProps<Saved> {
  open: boolean;
  onClose: () => void;
  title: string;
  subtitle: string;
  button: string;
  save: (body: Proof) => Promise<Saved>;
  onSaved: (saved: Saved) => void;
}

function ProofDialog<Saved>({ button, save, onSaved, ...dialog }: ProofDialogProps<Saved>) {
  return (
    <Dialog {...dialog}>
      <CallForm
        inDialog
        label={button}
        schema={proof}
        read={(field) => ({ password: field('password'), code: field('code') })}
        save={save}
        onSaved={onSaved}
        button={button}
      >
        {(field) => (
          <>
            {field('Your password', 'password', PASSWORD_INPUT)}
            {field('Authentication code', 'code', {
              ...CODE_INPUT,
              hint: 'From your authenticator app, or a recovery code.',
            })}
          </>
        )}
      </CallForm>
    </Dialog>
  );
}
