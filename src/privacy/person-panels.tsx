import Download from 'lucide-react/icons/download';
import { useState } from 'react';
import { reasonOf } from '../platform/fetch-call.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { TryAgain } from '../ui/try-again.tsx';
import { EraseDialog } from './erase-dialog.tsx';
import { ElsewhereList, ErasedPanel } from './erased-panel.tsx';
import { MOST_SHOWN, NOTHING_STORED } from './person.ts';
import { countsInWords } from './person-counts.ts';
import type { Person } from './person-shapes.ts';
import { StoredTable } from './stored-table.tsx';
import { downloadPath, useErasing, usePerson } from './use-person.ts';

export function PersonPanels({ email }: { email: string }) {
  const { data: person, error, isFetching, refetch } = usePerson(email);
  const erasing = useErasing();
  const nothing = person?.items.length === 0;
  return (
    <>
      {erasing.data && <ErasedPanel erased={erasing.data} />}
      {error && (
        <Notice kind="error">
          <p>{reasonOf(error, 'Couldn’t load the stored data.')}</p>
          <TryAgain busy={isFetching} onClick={() => refetch()} />
        </Notice>
      )}
      {!person && !error && (
        <Panel heading={email}>
          <StoredTable items={null} />
        </Panel>
      )}
      {person && nothing && !erasing.isPending && !erasing.data && <Nothing email={person.email} />}
      {person && !nothing && <Found person={person} erasing={erasing} />}
    </>
  );
}

function Nothing({ email }: { email: string }) {
  return (
    <Panel heading={<bdi>{email}</bdi>}>
      <p role="status" className="py-8 text-center text-sm">
        {NOTHING_STORED}. Please check the spelling.
      </p>
    </Panel>
  );
}

function Found({ person, erasing }: { person: Person; erasing: ReturnType<typeof useErasing> }) {
  const { email, counts, items, elsewhere } = person;
  const [asking, setAsking] = useState(false);
  const more = Object.values(counts).some((count) => count > MOST_SHOWN);
  return (
    <>
      <Panel
        heading={<bdi className="wrap-anywhere">{email}</bdi>}
        aside={
          <div className="flex flex-wrap gap-2">
            <ButtonLink href={downloadPath(email)} variant="quiet" size="small" download>
              <Download className="size-4" />
              Download
            </ButtonLink>
            <Button variant="quiet" size="small" onClick={() => setAsking(true)}>
              Erase…
            </Button>
          </div>
        }
      >
        <p role="status" className="mb-4 text-sm">
          {countsInWords(counts)}.
          {more &&
            ` Showing the newest ${MOST_SHOWN} of each kind. The download includes everything.`}
        </p>
        <StoredTable items={items} />
      </Panel>
      <Panel heading="Copies outside this site">
        <ElsewhereList elsewhere={elsewhere} />
      </Panel>
      <EraseDialog
        person={person}
        open={asking}
        erasing={erasing}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
