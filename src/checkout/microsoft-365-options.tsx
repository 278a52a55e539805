import { type AddOnPrices, type Choice, MS365_OPTIONS } from '../catalogue/pricing.ts';
import { MAX_USERS, WRONG_USERS } from '../catalogue/user-count.ts';
import { type Cents, formatDollars } from '../platform/money.ts';
import { Checkbox } from '../ui/fields/checkbox.tsx';
import { Field } from '../ui/fields/field.tsx';
import { RadioCards } from '../ui/fields/radio-cards.tsx';
import { TextInput } from '../ui/fields/text-input.tsx';

interface Microsoft365OptionsProps {
  choice: Choice;
  prices: AddOnPrices;
  /** As typed. */
  users: string;
  usersRefused: boolean;
  onChange: (part: Partial<Omit<Choice, 'ms365Users'>>) => void;
  onUsers: (text: string) => void;
}

/** Licences and backup per user; users and backup appear only with an option that has them. */
export function Microsoft365Options(props: Microsoft365OptionsProps) {
  const { choice, prices, users, usersRefused, onChange, onUsers } = props;
  const { ms365Option, includeCloudBackup } = choice;
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
        className="xl:grid-cols-2 xl:*:py-1.5"
      />
      {ms365Option !== 'none' && (
        <div className="mt-4 grid items-start gap-x-8 gap-y-2 xl:grid-cols-2">
          {/* What is typed stands, right or wrong: a count that nobody asked for would be bought unseen. */}
          <Field label="Users" error={usersRefused ? WRONG_USERS : undefined}>
            {(control) => (
              <TextInput
                {...control}
                type="number"
                name="ms365_users"
                inputMode="numeric"
                min={1}
                max={MAX_USERS}
                step={1}
                value={users}
                onChange={({ target }) => onUsers(target.value)}
                className="max-w-40 tabular-nums"
              />
            )}
          </Field>
          <Checkbox
            name="cloud_backup"
            value="true"
            checked={includeCloudBackup}
            onChange={(event) => onChange({ includeCloudBackup: event.target.checked })}
            label={prices.cloudBackup.label}
            detail={`Daily copies of mailboxes and files, ${perUser(prices.cloudBackup.pricePerUser)}`}
          />
        </div>
      )}
    </div>
  );
}

function perUser(price: Cents): string {
  return `${formatDollars(price)} per user / month`;
}
