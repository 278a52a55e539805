import { useEffect, useState } from 'react';
import {
  type AddOnPrices,
  type Choice,
  MAX_USERS,
  MS365_OPTIONS,
  WRONG_USERS,
} from '../catalogue/pricing.ts';
import { type Cents, formatDollars } from '../platform/money.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { Field } from '../ui/field.tsx';
import { RadioCards } from '../ui/radio-cards.tsx';
import { TextInput } from '../ui/text-input.tsx';
import { readUsers } from './choice.ts';

interface Microsoft365OptionsProps {
  choice: Choice;
  prices: AddOnPrices;
  onChange: (part: Partial<Choice>) => void;
}

/** Licences and backup per user; users and backup appear only with an option that has them. */
export function Microsoft365Options({ choice, prices, onChange }: Microsoft365OptionsProps) {
  const { ms365Option, ms365Users, includeCloudBackup } = choice;
  return (
    <div>
      <RadioCards
        legend="Microsoft 365 Add-ons"
        name="microsoft365"
        value={ms365Option}
        options={MS365_OPTIONS.map((option) => ({
          value: option,
          label: prices.microsoft365[option].label,
          aside: option === 'none' ? undefined : perUser(prices.microsoft365[option].pricePerUser),
        }))}
        onChange={(option) => onChange({ ms365Option: option })}
      />
      {ms365Option !== 'none' && (
        <div className="mt-4 grid gap-2">
          <UsersField users={ms365Users} onChange={(users) => onChange({ ms365Users: users })} />
          <Checkbox
            name="cloud_backup"
            value="true"
            checked={includeCloudBackup}
            onChange={(event) => onChange({ includeCloudBackup: event.target.checked })}
            label={prices.cloudBackup.label}
            detail={`Daily copies of mail and files, ${perUser(prices.cloudBackup.pricePerUser)} a month`}
          />
        </div>
      )}
    </div>
  );
}

function perUser(price: Cents): string {
  return `${formatDollars(price)} per user`;
}

interface UsersFieldProps {
  users: number;
  onChange: (users: number) => void;
}

/** What is typed stands until the field is left, even while it is no number yet; the total follows valid numbers. */
function UsersField({ users, onChange }: UsersFieldProps) {
  const [text, setText] = useState(String(users));
  useEffect(() => setText(String(users)), [users]);
  const typed = readUsers(text);
  return (
    <Field label="Users" error={typed === undefined ? WRONG_USERS : undefined}>
      {(control) => (
        <TextInput
          {...control}
          type="number"
          name="ms365_users"
          inputMode="numeric"
          min={1}
          max={MAX_USERS}
          step={1}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            const next = readUsers(event.target.value);
            if (next !== undefined) onChange(next);
          }}
          onBlur={() => setText(String(users))}
          className="max-w-40 tabular-nums"
        />
      )}
    </Field>
  );
}
