import type { ComponentProps } from 'react';
import { type Cents, formatDollars } from '../platform/money.ts';
import { Checkbox, RadioCards, TextInput } from '../ui/fields.tsx';
import { type AddOnPrices, type Choice, USERS_PARAMETER } from './pricing.ts';

/** In a field that is called Microsoft 365 already. */
export const shortLabel = (label: string) => label.replace(/^Microsoft 365 /, '');
export const perUser = (price: Cents) => `${formatDollars(price)} per user per month`;

interface Microsoft365FieldProps {
  prices: AddOnPrices;
  legend: string;
  value?: string;
  defaultValue?: string;
  onChange?: (option: string) => void;
  className?: string;
}

export function Microsoft365Field({ prices, ...field }: Microsoft365FieldProps) {
  return (
    <RadioCards
      name="microsoft365"
      options={Object.entries(prices.microsoft365).map(([option, { label, pricePerUser }]) => {
        const aside = option === 'none' ? undefined : perUser(pricePerUser);
        return { value: option, label, aside };
      })}
      {...field}
    />
  );
}

export function UsersInput({ className = '', ...rest }: ComponentProps<'input'>) {
  return (
    <TextInput
      type="number"
      name={USERS_PARAMETER}
      inputMode="numeric"
      min={1}
      step={1}
      className={`tabular-nums ${className}`}
      {...rest}
    />
  );
}

type BackupFieldProps = Pick<AddOnPrices, 'cloudBackup'> &
  Pick<ComponentProps<'input'>, 'checked' | 'onChange' | 'disabled'>;

export function BackupField({ cloudBackup, ...field }: BackupFieldProps) {
  return (
    <Checkbox
      name="cloud_backup"
      value="true"
      label={cloudBackup.label}
      detail={`Daily copies of mailboxes and files, ${perUser(cloudBackup.pricePerUser)}`}
      {...field}
    />
  );
}

/** Reads the form's add-ons, also a checked backup that does not count without Microsoft 365. */
export function readAddOns(form: HTMLFormElement): Omit<Choice, 'ms365Users'> {
  const option = new FormData(form).get('microsoft365');
  const backup = form.querySelector<HTMLInputElement>('[name=cloud_backup]');
  return {
    ms365Option: option?.toString() ?? 'none',
    includeCloudBackup: backup?.checked ?? false,
  };
}
