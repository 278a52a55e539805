import { type RefObject, useEffect, useState } from 'react';
import { FIRST_CHOICE, readPeople } from './planner.ts';
import { type Choice, MS365_OPTIONS, USERS_PARAMETER } from './pricing.ts';

const FIRST_PEOPLE = String(FIRST_CHOICE.ms365Users);

interface Planned {
  choice: Choice;
  /** The number of people as it is typed; the choice has the last one that makes sense. */
  typed: string;
}

/** `form` has the fields: what was chosen in them before the script came is taken over. */
export function usePlanner(form: RefObject<HTMLFormElement | null>) {
  const [{ choice, typed }, set] = useState<Planned>({ choice: FIRST_CHOICE, typed: FIRST_PEOPLE });

  // React leaves the fields as it finds them, and hears of no change that was made before. They are read here and not
  // while it draws, when a change that it has heard stands in one of two fields only.
  useEffect(() => {
    if (form.current) set(takeOver(form.current));
  }, [form]);

  return {
    choice: {
      ...choice,
      includeCloudBackup: choice.includeCloudBackup && choice.ms365Option !== 'none',
    },
    typed,
    refused: readPeople(typed) === undefined,
    type: (text: string) =>
      set({
        typed: text,
        choice: { ...choice, ms365Users: readPeople(text) ?? choice.ms365Users },
      }),
    change: (part: Partial<Omit<Choice, 'ms365Users'>>) =>
      set({ typed, choice: { ...choice, ...part } }),
  };
}

/** The slider has no name of its own: it counts where it was moved and the field was not. */
function takeOver(form: HTMLFormElement): Planned {
  const fields = new FormData(form);
  const option = MS365_OPTIONS.find((each) => each === fields.get('microsoft365'));
  const slid = form.querySelector<HTMLInputElement>('[type="range"]')?.value ?? FIRST_PEOPLE;
  const field = String(fields.get(USERS_PARAMETER) ?? FIRST_PEOPLE);
  const typed = field === FIRST_PEOPLE ? slid : field;
  return {
    typed,
    choice: {
      ms365Option: option ?? FIRST_CHOICE.ms365Option,
      ms365Users: readPeople(typed) ?? FIRST_CHOICE.ms365Users,
      includeCloudBackup: fields.has('cloud_backup'),
    },
  };
}
