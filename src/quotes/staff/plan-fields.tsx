/** What is quoted: a plan, with or without Microsoft 365. */
import { MS365_OPTIONS } from '../../catalogue/pricing.ts';
import { Field } from '../../ui/fields/field.tsx';
import { Select } from '../../ui/fields/select.tsx';
import type { Draft } from './quote-draft.ts';
import { usePlans } from './use-quotes.ts';

const OPTION_LABELS = {
  none: 'No Microsoft 365',
  business_standard: 'Business Standard',
  business_premium: 'Business Premium',
  e3: 'E3',
} as const;

interface PlanFieldsProps {
  draft: Draft;
  /** Why the plan was refused. */
  fault: string | undefined;
  change: (part: Partial<Draft>) => void;
}

export function PlanFields({ draft, fault, change }: PlanFieldsProps) {
  const plans = usePlans();
  return (
    <>
      <Field label="Plan" error={fault}>
        {(control) => (
          <Select
            {...control}
            name="planId"
            value={draft.planId}
            onChange={({ target }) => change({ planId: target.value })}
          >
            <option value="">{plans.isError ? 'Plans could not be loaded' : 'Choose…'}</option>
            {plans.data?.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label="Microsoft 365">
        {(control) => (
          <Select
            {...control}
            value={draft.ms365Option}
            onChange={({ target }) =>
              change({
                ms365Option: MS365_OPTIONS.find((each) => each === target.value) ?? 'none',
              })
            }
          >
            {MS365_OPTIONS.map((option) => (
              <option key={option} value={option}>
                {OPTION_LABELS[option]}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </>
  );
}
