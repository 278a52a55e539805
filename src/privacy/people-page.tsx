/** /admin/people: everything that is stored under one email address, to be exported or erased. */
import { type FormEvent, useRef, useState } from 'react';
import { useLocation, useSearch } from 'wouter';
import { INVALID_EMAIL, isEmail } from '../platform/fields.ts';
import { personPath, STAFF_PAGES } from '../staff/staff-pages.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/fields/field.tsx';
import { TextInput } from '../ui/fields/text-input.tsx';
import { Workbench } from '../ui/workbench.tsx';
import { PersonPanels } from './person-panels.tsx';

export default function PeoplePage() {
  const email = new URLSearchParams(useSearch()).get('find') ?? '';
  return (
    <Workbench
      heading={STAFF_PAGES.people.title}
      lead="Everything a person has sent or bought under one email address. View it, export it, or erase it when they ask."
    >
      <FindPerson email={email} />
      {email && <PersonPanels key={email} email={email} />}
    </Workbench>
  );
}

function FindPerson({ email }: { email: string }) {
  const [, navigate] = useLocation();
  const [typed, setTyped] = useState(email);
  const [seen, setSeen] = useState(email);
  const [error, setError] = useState<string>();
  const field = useRef<HTMLInputElement>(null);

  // The address changed by itself, such as by the back button.
  if (email !== seen) {
    setSeen(email);
    setTyped(email);
  }

  function find(event: FormEvent) {
    event.preventDefault();
    const wanted = typed.trim();
    const valid = isEmail(wanted);
    setError(valid ? undefined : INVALID_EMAIL);
    if (valid) navigate(personPath(wanted));
    else field.current?.focus();
  }

  return (
    <search>
      <form noValidate onSubmit={find} className="flex flex-wrap items-start gap-3">
        <div className="w-full sm:w-96">
          <Field label="Email address" error={error}>
            {(control) => (
              <TextInput
                {...control}
                ref={field}
                type="email"
                value={typed}
                onChange={({ target }) => setTyped(target.value)}
                autoComplete="off"
                autoCapitalize="none"
                spellCheck={false}
                className="h-11"
              />
            )}
          </Field>
        </div>
        <Button type="submit" className="sm:mt-8">
          Find
        </Button>
      </form>
    </search>
  );
}
