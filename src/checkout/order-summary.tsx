import FileText from 'lucide-react/icons/file-text';
import { type RefObject, useRef } from 'react';
import { BackupField, Microsoft365Field, UsersInput } from '../catalogue/add-on-fields.tsx';
import type { Plan } from '../catalogue/catalogue.ts';
import { IncludedFeatures } from '../catalogue/feature-list.tsx';
import { PriceBreakdown } from '../catalogue/price-breakdown.tsx';
import {
  type AddOnPrices,
  outgrownBy,
  type Price,
  readCount,
  USERS_ERROR,
} from '../catalogue/pricing.ts';
import { MAX_USERS } from '../limits.ts';
import { formatDollars } from '../platform/money.ts';
import { useSite } from '../platform/site.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/fields.tsx';
import { Card } from '../ui/layout.tsx';
import { showError } from '../ui/toast/toast.ts';
import type { useChoice } from './choice.ts';

interface OrderSummaryProps {
  chosen: ReturnType<typeof useChoice>;
  plans: readonly Plan[];
  prices: AddOnPrices;
  price: Price | undefined;
  busy: boolean;
  /** An order has just been placed, so the total and its button no longer stick to the screen. */
  placed: boolean;
  onProceed: () => void;
  onSaveQuote: () => void;
}

/** Keeps the total and its button in view: at the bottom of a phone's screen, or of the card. */
const IN_VIEW =
  'fixed inset-x-0 bottom-0 z-30 px-5 py-3 max-lg:pr-20 max-lg:shadow-raised sm:px-8 sm:max-lg:pr-24 lg:sticky lg:-mx-8 lg:mt-6 lg:-mb-8 lg:rounded-b-card lg:py-4 short:static short:-mx-6 short:mt-6 short:-mb-6 short:rounded-b-card short:px-6 short:shadow-none short:sm:-mx-8 short:sm:-mb-8 short:sm:px-8 print:static print:px-0 print:shadow-none';
const IN_FLOW = 'rounded-b-card -mx-6 mt-6 -mb-6 px-6 py-5 sm:-mx-8 sm:-mb-8 sm:px-8';

/** The HTML has the plan's price alone, which is no total for a link that names add-ons. */
const PENDING = 'invisible';

export function OrderSummary(props: OrderSummaryProps) {
  const { chosen, plans, prices, price, busy, placed, onProceed, onSaveQuote } = props;
  const { plan, choice, users, isSettled, usersUnknown } = chosen;
  const outgrown = plan && outgrownBy(choice.ms365Users, plan.id, plans);
  const usersField = useRef<HTMLInputElement>(null);

  /** Reads the field itself: password managers fill fields in without an event. */
  function unlessUsersUnknown(go: () => void) {
    const typed = usersField.current?.value ?? users;
    if (typed !== users) chosen.changeAddOns({ users: typed });
    if (choice.ms365Option !== 'none' && readCount(typed) === undefined)
      usersField.current?.focus();
    else go();
  }

  return (
    <Card className="lg:sticky lg:top-20 lg:pt-6 short:static">
      <h2 className="text-xl tracking-tight">Order Summary</h2>
      {plan ? (
        <>
          <div className="mt-3 flex flex-wrap items-baseline justify-between gap-x-4">
            <h3 className="text-lg">{plan.name}</h3>
            <p className="text-ink tabular-nums">
              <span>{formatDollars(plan.price)}</span>
              <span className="text-sm text-muted"> per month</span>
            </p>
          </div>
          {outgrown && <p className="text-sm text-ink">{outgrown}</p>}
          <IncludedFeatures features={plan.features} />
        </>
      ) : (
        <p id="no-plan" className="my-4 text-sm">
          No plan selected. Please select a plan from the options on the left.
        </p>
      )}
      <div className="mt-1 border-t border-line pt-4 noscript:hidden">
        <Microsoft365Options chosen={chosen} prices={prices} usersField={usersField} />
      </div>
      {price && (
        <div
          className={`mt-5 border-t border-line pt-5 noscript:hidden ${isSettled ? '' : PENDING}`}
        >
          <PriceBreakdown price={price} usersUnknown={usersUnknown} />
          <Button
            variant="quiet"
            size="small"
            onClick={() => unlessUsersUnknown(onSaveQuote)}
            className="mt-4"
          >
            <FileText className="size-4" />
            Save as a quote
          </Button>
        </div>
      )}
      <p className="mt-4 hidden text-sm noscript:block">
        Paying needs JavaScript. Please turn it on for this site in your browser, or contact us.
      </p>
      <noscript>
        <Button type="submit" worksWithoutScript variant="quiet" className="mt-4">
          Update
        </Button>
      </noscript>
      <div
        data-total-bar={placed ? undefined : true}
        className={`border-t border-line bg-surface ${placed ? IN_FLOW : IN_VIEW}`}
      >
        <div className="flex max-[18rem]:flex-wrap items-center justify-between gap-3 lg:flex-wrap">
          <p aria-live="polite" className="noscript:hidden">
            <span className="block text-sm text-muted">Monthly total</span>
            <span
              className={`block text-lg font-semibold text-ink tabular-nums lg:text-xl ${isSettled ? '' : PENDING}`}
            >
              {price && !usersUnknown ? formatDollars(price.total) : '—'}
            </span>
          </p>
          {/* A disabled button gets no click, so its frame says what is missing. */}
          {/* biome-ignore lint/a11y: pointer only; the form's onKeyDown covers the keyboard. */}
          <div onClick={plan ? undefined : showNoPlan} className={placed ? 'max-sm:w-full' : ''}>
            <Button
              size="large"
              disabled={!plan}
              busy={busy}
              aria-describedby={plan ? undefined : 'no-plan'}
              onClick={() => unlessUsersUnknown(onProceed)}
              className="w-full disabled:pointer-events-none max-sm:px-3 max-sm:text-sm max-[24rem]:h-auto max-[24rem]:min-h-13 max-[24rem]:py-1 max-[24rem]:leading-tight max-[24rem]:whitespace-normal"
            >
              {busy ? 'Processing...' : 'Proceed to Checkout'}
            </Button>
          </div>
        </div>
      </div>
    </Card>
  );
}

export function showNoPlan(): void {
  showError('Please select a service plan to continue.', 'No plan selected');
}

interface Microsoft365OptionsProps {
  chosen: ReturnType<typeof useChoice>;
  prices: AddOnPrices;
  usersField: RefObject<HTMLInputElement | null>;
}

/** Style hides users and backup without a Microsoft 365 option, before the script runs too. */
function Microsoft365Options({ chosen, prices, usersField }: Microsoft365OptionsProps) {
  const { choice, users, usersUnknown, changeAddOns } = chosen;
  const error = `${USERS_ERROR}, or call ${useSite().company.phone.display} for more`;
  return (
    <div className="group">
      <Microsoft365Field
        legend="Microsoft 365 Add-ons"
        value={choice.ms365Option}
        onChange={(ms365Option) => changeAddOns({ ms365Option })}
        className="xl:grid-cols-2 xl:*:py-1.5"
        prices={prices}
      />
      <div className="mt-4 grid items-start gap-x-8 gap-y-2 group-has-[[value=none]:checked]:hidden xl:grid-cols-2">
        {/* An invalid number is never corrected: the buyer could miss it and pay for it. */}
        <Field label="Users" error={usersUnknown ? error : undefined}>
          <UsersInput
            ref={usersField}
            max={MAX_USERS}
            value={users}
            onChange={({ target }) => changeAddOns({ users: target.value })}
            // Room for the error's two lines above the bar.
            className="max-w-40 scroll-mb-20"
          />
        </Field>
        <BackupField
          checked={choice.includeCloudBackup}
          onChange={({ target }) => changeAddOns({ includeCloudBackup: target.checked })}
          cloudBackup={prices.cloudBackup}
        />
      </div>
    </div>
  );
}
